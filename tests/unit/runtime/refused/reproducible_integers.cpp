// refused: this operator does not apply to this element type
#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm, std::vector<int>& data) { comm.scan(data, tutti::reproducible); }

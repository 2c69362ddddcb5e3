// refused: the operator is missing: it comes after the data
#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm, std::vector<double>& data) { comm.all_reduce(data); }

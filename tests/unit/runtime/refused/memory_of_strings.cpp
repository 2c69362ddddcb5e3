// refused: memory that ranks share holds elements that are trivially copyable
#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm) { comm.allocate<std::string>(8); }

// refused: tutti moves elements as bytes
#include <string>

#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm, std::span<std::string> texts) { comm.broadcast(texts); }

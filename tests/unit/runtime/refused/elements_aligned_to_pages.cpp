// refused: tutti aligns its own buffers to 64 bytes
#include "tutti/tutti.hpp"

struct alignas(4096) Page {
  char bytes[4096];
};

void refused(tutti::Communicator& comm, Page& page) { comm.broadcast(page); }

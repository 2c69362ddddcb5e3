// refused: a user operator is a const callable that takes two elements and returns one
#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm) {
  comm.all_reduce(2.5F, [](float a) { return a; });
}

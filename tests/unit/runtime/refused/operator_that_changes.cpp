// refused: a user operator is a const callable that takes two elements and returns one
#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm) {
  comm.all_reduce(2.5L, [calls = 0](long double a, long double b) mutable { return a + b + ++calls; });
}

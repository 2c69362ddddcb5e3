// refused: a value is made before it is received, so that its type needs a default constructor
#include "tutti/tutti.hpp"

struct Given {
  explicit Given(int number) : value(number) {}
  int value;
};

void refused(tutti::Communicator& comm) { comm.receive<Given>(1); }

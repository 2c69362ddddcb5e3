// refused: a result is made before it is filled, so that its type needs a default constructor
#include "tutti/tutti.hpp"

struct Made {
  explicit Made(int number) : value(number) {}
  int value;
};

void refused(tutti::Communicator& comm) { comm.all_gather(Made(1)); }

// refused: the reproducible sum of numbers is rounded when the call ends, which handles and plans do not
#include "tutti/tutti.hpp"

void refused(tutti::Communicator& comm, std::vector<double>& data) {
  comm.all_reduce_async(data, tutti::reproducible).wait();
}

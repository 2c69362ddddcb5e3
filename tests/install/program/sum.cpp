#include <string>
#include <tutti/tutti.hpp>

// "2 ranks of the world: 3", on rank 0 alone.
std::string sum_in_words() {
  tutti::Communicator& comm = tutti::world();
  const int sum = comm.all_reduce(comm.rank() + 1, tutti::sum);
  return comm.rank() == 0 ? std::to_string(comm.size()) + " ranks of the world: " + std::to_string(sum) : "";
}

#include "examples/ranks.hpp"

#include "tutti/tutti.hpp"

namespace examples {
namespace {

bool runs_alone() { return tutti::world().size() == 1; }

}  // namespace

int number_of_ranks(int threads) { return runs_alone() ? threads : tutti::world().size(); }

bool speaks() { return tutti::world().rank() == 0; }

void on_ranks(int threads, const std::function<void(tutti::Communicator&)>& function) {
  if (runs_alone()) {
    tutti::run(threads, function);
  } else {
    function(tutti::world());
  }
}

}  // namespace examples

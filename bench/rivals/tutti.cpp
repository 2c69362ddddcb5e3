/// @file
/// tutti in the measuring loop.
///
///     rival_tutti threads 2 all-reduce 8,1024 0.3             ranks that are threads
///     tutti run -n 2 rival_tutti processes all-reduce 8 0.3   ranks that are processes

#include "bench/rivals/program.hpp"
#include "tuning/measured_communicator.hpp"
#include "tutti/world.hpp"

namespace tutti::bench {
namespace {

void measure_in(Communicator& comm, const Work& work) {
  MeasuredCommunicator measured(comm, work.library_memory ? MeasuredMemory::library : MeasuredMemory::plain);
  serve(measured, work);
}

void measure_as_told(std::vector<std::string> words) {
  require(!words.empty() && (words[0] == "threads" || words[0] == "processes"),
          "the first word is 'threads', followed by the number of ranks, or 'processes'");
  const bool threads = words[0] == "threads";
  words.erase(words.begin());
  if (!threads) {
    Communicator& everyone = world();
    return measure_in(everyone, work_of(words));
  }
  require(!words.empty(), "the number of ranks is missing");
  const auto ranks = static_cast<int>(parse_integer(words[0], "a number of ranks", 1, 1024));
  words.erase(words.begin());
  const Work work = work_of(words);
  run(ranks, [&](Communicator& comm) { measure_in(comm, work); });
}

}  // namespace
}  // namespace tutti::bench

int main(int argc, char** argv) try {
  tutti::bench::measure_as_told({argv + 1, argv + argc});
} catch (const std::exception& error) {
  return tutti::bench::complain(argv[0], error);
}

#include "support/ranks.hpp"

#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "support/sanitizers.hpp"

namespace tutti::testing {
namespace {

int number_in(const char* name, int otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

std::vector<Report> reports_of_threads(int ranks, const RankFunction& function, Duration timeout) {
  std::vector<Report> reports(static_cast<std::size_t>(ranks));
  const auto rank = [&](Communicator& comm) {
    Outcome& outcome = reports[static_cast<std::size_t>(comm.rank())].outcome;
    outcome = outcome_of(function, comm);
    if (outcome.threw) throw std::runtime_error(outcome.message);
  };
  try {
    run(ranks, rank, {.timeout = timeout});
  } catch (const std::exception&) {
    // The rank's report has it.
  }
  return reports;
}

std::vector<Report> reports_of(int ranks, const RankFunction& function, Duration timeout) {
  switch (engine()) {
    case Engine::threads:
      return reports_of_threads(ranks, function, timeout);
    case Engine::processes:
      return reports_of_processes(ranks, function, timeout);
    case Engine::world:
      return reports_of_world(ranks, function, timeout);
  }
  return {};
}

}  // namespace

Engine engine() {
  const char* const text = std::getenv("TUTTI_TEST_ENGINE");
  const std::string_view name = text == nullptr ? "threads" : text;
  if (name == "threads") return Engine::threads;
  if (name == "processes") return Engine::processes;
  if (name == "world") return Engine::world;
  throw std::invalid_argument("TUTTI_TEST_ENGINE is threads, processes or world");
}

bool has_ranks(int ranks) { return engine() != Engine::world || ranks <= number_in("TUTTI_TEST_RANKS", 0); }

std::vector<int> possible(std::initializer_list<int> ranks) {
  std::vector<int> result;
  std::copy_if(ranks.begin(), ranks.end(), std::back_inserter(result), has_ranks);
  return result;
}

int scale() { return std::max(1, number_in("TUTTI_TEST_SCALE", test::sampled_of)); }

std::vector<Outcome> outcomes_of(int ranks, const RankFunction& function, Duration timeout) {
  std::vector<Outcome> outcomes;
  int rank = 0;
  for (Report& report : reports_of(ranks, function, timeout)) {
    for (const Failure& failure : report.failures) {
      ADD_FAILURE_AT(failure.file.c_str(), failure.line) << "rank " << rank << ": " << failure.message;
    }
    outcomes.push_back(std::move(report.outcome));
    ++rank;
  }
  return outcomes;
}

void on_ranks(int ranks, const RankFunction& function, Duration timeout) {
  int rank = 0;
  for (const Outcome& outcome : outcomes_of(ranks, function, timeout)) {
    EXPECT_FALSE(outcome.code || outcome.threw) << "rank " << rank << " ended by an exception: " << outcome.message;
    ++rank;
  }
}

}  // namespace tutti::testing

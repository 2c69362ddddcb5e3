#include "lab/prove_once.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "base/check.hpp"
#include "schedule/choice.hpp"
#include "verify/text.hpp"

namespace tutti::lab {
namespace {

constexpr std::size_t most_operations = std::size_t{1} << 20;  // some dozens of bytes each
constexpr std::size_t most_remembered = 256;

void check_size_of(const tutti::Algorithm& algorithm, const tutti::Problem& problem) {
  std::size_t operations = 0;
  Program program;
  for (int rank = 0; rank < problem.ranks; ++rank) {
    record_rank(algorithm, problem, rank, program);
    operations += program.ops.size();
    if (operations <= most_operations) continue;
    fail(
        ErrorCode::unsupported,
        "'{}' has more than {} operations for {}, too many to be proved before its first call; make the algorithm with "
        "lab::Proving::never to run it unproved",
        algorithm.name, most_operations, describe(problem));
  }
}

// The outcomes of the latest proofs. Ranks that are threads come at the same time, and wait for one proof.
class Proved {
 public:
  void prove(const tutti::Algorithm& algorithm, const tutti::Problem& problem) {
    const std::lock_guard lock(mutex_);
    auto known = std::find_if(outcomes_.begin(), outcomes_.end(),
                              [&](const Outcome& outcome) { return outcome.problem == problem; });
    if (known == outcomes_.end()) {
      check_size_of(algorithm, problem);
      outcomes_.push_front({problem, verify(Choice(algorithm), problem).failure});
      if (outcomes_.size() > most_remembered) outcomes_.pop_back();
      known = outcomes_.begin();
    }
    if (!known->failure) return;
    fail(ErrorCode::invalid_argument, "'{}' is wrong for {}, and was not run: {}", algorithm.name, describe(problem),
         describe(*known->failure));
  }

 private:
  struct Outcome {
    tutti::Problem problem;
    std::optional<Failure> failure;
  };

  std::mutex mutex_;
  std::deque<Outcome> outcomes_;  // the latest first
};

}  // namespace

algorithms::Admission prove_once() {
  return [proved = std::make_shared<Proved>()](const tutti::Algorithm& algorithm, const tutti::Problem& problem) {
    proved->prove(algorithm, problem);
  };
}

}  // namespace tutti::lab

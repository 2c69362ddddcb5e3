/// @file
/// Recorder that a user's text sees, and the algorithm of the library that it becomes.

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "algorithms/own.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "schedule/model/choice.hpp"
#include "schedule/record/script.hpp"
#include "tutti/lab.hpp"
#include "verify/text.hpp"

namespace tutti::lab {
namespace {

constexpr std::size_t most_operations = std::size_t{1} << 20;  // some dozens of bytes each
constexpr std::size_t most_remembered = 256;

void check_size_of(const tutti::Algorithm& algorithm, const tutti::Problem& problem) {
  std::size_t operations = 0;
  RecordingContext context;
  Program program;
  for (int rank = 0; rank < problem.ranks; ++rank) {
    record_rank(context, algorithm, problem, rank, program);
    operations += program.ops.size();
    if (operations <= most_operations) continue;
    fail(ErrorCode::unsupported,
         "'{}' has more than {} operations for {}, too many to be cache before its first call; make the algorithm with "
         "lab::Proving::never to run it unproved",
         algorithm.name, most_operations, describe(problem));
  }
}

// The outcomes of the latest proofs. Ranks that are threads come at the same time, and wait for one proof.
class ProofCache {
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
    std::optional<ProofFailure> failure;
  };

  std::mutex mutex_;
  std::deque<Outcome> outcomes_;  // the latest first
};

/// An admission that proves the algorithm for each problem that it has not seen of late, once for all threads. It
/// throws `Error(invalid_argument)` with rank, step and reason where the proof fails, and `Error(unsupported)` where
/// the schedule has more operations than are recorded for a proof by the way.
algorithms::Admission prove_once() {
  return [cache = std::make_shared<ProofCache>()](const tutti::Algorithm& algorithm, const tutti::Problem& problem) {
    cache->prove(algorithm, problem);
  };
}

// Throws for an extent that would be taken for other elements, or for none: one that begins before the buffer, has
// fewer than no elements, or an end that no number holds.
void check_extent(std::int64_t first, std::int64_t count) {
  require(first >= 0 && count >= 0,
          "a slice begins at element 0 or behind it and has 0 elements or more, not {} from {}", count, first);
  constexpr std::int64_t most = std::int64_t{1} << 62;
  require(count <= most && first <= most - count,
          "a slice ends at element 2^62 or before it, not {} elements from {} on", count, first);
}

// A rank without such a buffer has blocks of no elements.
void check_block(const Script& script, int block, int blocks, std::string_view buffer) {
  const int known = blocks == 0 ? script.size() : blocks;
  require(block >= 0 && block < known, "rank {} has {} of {}, counted from 0, and so no block {}", script.rank(),
          counted(known, "block"), buffer, block);
}

tutti::Slice internal(const Slice& slice) {
  check_extent(slice.first, slice.count);
  return {static_cast<tutti::Buffer>(slice.buffer), slice.first, slice.count};
}

Slice external(const tutti::Slice& slice) { return {static_cast<Buffer>(slice.buffer), slice.first, slice.count}; }

static_assert(static_cast<int>(Buffer::output) == static_cast<int>(tutti::Buffer::output));
static_assert(static_cast<int>(Buffer::scratch) == static_cast<int>(tutti::Buffer::scratch));

Message internal(const Slices& slices) {
  Message message;
  for (const Slice& slice : slices) message.push_back(internal(slice));
  return message;
}

// Names of phases last as long as the program runs; there are few.
std::string_view interned(std::string_view name) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> names;
  const std::lock_guard lock(mutex);
  return *names.emplace(name).first;
}

}  // namespace

int Rank::rank() const { return script_->rank(); }
int Rank::size() const { return script_->size(); }
int Rank::root() const { return script_->problem().root; }
int Rank::distance() const { return script_->problem().distance; }

Slice Rank::input() const { return external(script_->input()); }
Slice Rank::input(int block) const {
  check_block(*script_, block, script_->blocks_of_input(), "input");
  return external(script_->input(block));
}
Slice Rank::output() const { return external(script_->output()); }
Slice Rank::output(int block) const {
  check_block(*script_, block, script_->blocks_of_output(), "output");
  return external(script_->output(block));
}
Slice Rank::message() const { return external(script_->message()); }
Slice Rank::scratch(std::int64_t first, std::int64_t count) {
  check_extent(first, count);
  return external(script_->scratch(first, count));
}

void Rank::send(const Slices& message, int to) { script_->send(internal(message), to); }
void Rank::receive(const Slices& into, int from) { script_->receive(internal(into), from); }
void Rank::receive_reduce(const Slices& into, const Slices& mine, int from) {
  script_->receive_reduce(internal(into), internal(mine), from);
}
void Rank::copy(const Slices& to, const Slices& from) { script_->copy(internal(to), internal(from)); }
void Rank::reduce(const Slices& into, const Slices& left, const Slices& right) {
  script_->reduce(internal(into), internal(left), internal(right));
}
void Rank::wait() { script_->wait(); }
void Rank::phase(std::string_view name) { script_->phase(interned(name)); }

Algorithm::Algorithm(Collective collective, std::string_view name, Text text, Proving proving) {
  require(!name.empty(), "an algorithm needs a name");
  require(text != nullptr, "the algorithm '{}' needs a text", name);
  tutti::Algorithm algorithm{.collective = collective,
                             .summary = "An algorithm of this program.",
                             .when = "For programs that ask for it.",
                             .source = "the program"};
  algorithm.record = [text = std::move(text)](Script& me, const tutti::Problem&) {
    Rank rank(me);
    text(rank);
  };
  algorithm_ = &algorithms::add_own(std::string(name), std::move(algorithm),
                                    proving == Proving::before_first_call ? prove_once() : algorithms::Admission());
}

std::string_view Algorithm::name() const { return algorithm_->name; }

}  // namespace tutti::lab

/// @file
/// All that can be known of a collective call before it meets its buffers, found again by what it was called with.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "plan/recipes.hpp"
#include "schedule/compiled_program.hpp"
#include "transport/signature.hpp"
#include "tutti/untyped.hpp"

namespace tutti::runtime {

class CommunicatorState;

/// A call's shape, checked: what it is to all ranks, and what this rank does.
struct Prepared {
  Problem problem;
  Wish wish;  ///< what the call asks for, and the environment: names of the catalogue
  detail::Datatype type;
  Signature signature;
  std::shared_ptr<const Recipe> recipe;            ///< null where counts must travel first, or ranks only meet
  bool read_only = false;                          ///< the output may not be written: see writing_elsewhere()
  std::vector<std::int64_t> input_displacements;   ///< of the blocks; empty: one after the other
  std::vector<std::int64_t> output_displacements;  ///< the same
  std::optional<CompiledProgram> compiled;         ///< of the recipe
  std::int64_t brief_bytes = -1;  ///< the compiled program's brief_elements() in bytes; -1: it is not brief
};

/// One rank's preparations. A call whose shape is known is found by comparing a few words.
class Preparations {
 public:
  Preparations(int rank, Recipes recipes) : rank_(rank), recipes_(std::move(recipes)) {}

  /// Checks all that this rank can see by itself. Throws `Error(invalid_argument)` or `Error(unsupported)`.
  const std::shared_ptr<const Prepared>& find(const untyped::Call& call, const CommunicatorState& communicator) {
    // Most calls are like the one before.
    if (last_->prepared != nullptr && is_plain(call) && last_->key == key_of(call)) return last_->prepared;
    return look_up(call, communicator);
  }
  /// The same for an all-to-all by counts once all counts are known.
  std::shared_ptr<const Prepared> with_counts(const Prepared& known, std::vector<std::int64_t> counts);
  /// What moves the counts that ranks do not know of one another before the elements: each of `ranks` ranks gives all
  /// others so many, which are always 2p or always 1.
  const std::shared_ptr<const Prepared>& count_exchange(int ranks, std::int64_t counts);

  Recipes& recipes() { return recipes_; }

 private:
  /// What tells one plain call from another: one that leaves the choice to the library and has no counts.
  struct Key {
    Collective collective = Collective::barrier;
    bool in_place = false;
    bool read_only = false;
    bool commutative = true;
    int root = 0;
    int distance = 0;
    std::int64_t input_size = -1;
    std::int64_t output_size = -1;
    std::uint64_t type = 0;
    std::uint64_t op = 0;

    friend bool operator==(const Key&, const Key&) = default;
    std::size_t place() const;
  };
  struct Entry {
    Key key;
    std::shared_ptr<const Prepared> prepared;
  };
  static constexpr std::size_t entries = 64;

  static Key key_of(const untyped::Call& call) {
    return {call.collective, call.in_place,   call.read_only,   call.op.commutative, call.root,
            call.distance,   call.input_size, call.output_size, call.type.identity,  call.op.identity};
  }
  static bool is_plain(const untyped::Call& call) {
    return !call.by_counts && call.options->algorithm.empty() && call.options->segments == 0 &&
           call.options->grid.empty() && (call.in_place || are_apart(call));
  }
  /// Whether no byte is both read and written. Where some are, the checks must say whether they may.
  static bool are_apart(const untyped::Call& call) {
    const auto at = [](const void* data) { return reinterpret_cast<std::uintptr_t>(data); };
    const auto size = [&](std::int64_t count) { return static_cast<std::uintptr_t>(count) * call.type.size; };
    return at(call.input) + size(call.input_size) <= at(call.output) ||
           at(call.output) + size(call.output_size) <= at(call.input);
  }
  const std::shared_ptr<const Prepared>& look_up(const untyped::Call& call, const CommunicatorState& communicator);
  std::shared_ptr<const Prepared> prepare(const untyped::Call& call, const CommunicatorState& communicator);
  std::shared_ptr<const Prepared> finished(Prepared&& prepared);
  CompiledProgram compiled(const Prepared& prepared) const;

  int rank_;
  Recipes recipes_;
  std::array<Entry, entries> known_;
  Entry* last_ = known_.data();
  std::shared_ptr<const Prepared> count_exchange_;  // 2p counts from each
  std::shared_ptr<const Prepared> size_exchange_;   // 1 count from each
  std::shared_ptr<const Prepared> latest_;          // of a call that is not plain
};

/// A call that only brings the ranks together: split, duplicate.
Signature meeting(Purpose purpose, std::int64_t color, std::int64_t key);

}  // namespace tutti::runtime

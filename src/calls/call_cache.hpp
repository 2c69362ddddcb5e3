/// @file
/// All that can be known of a collective call before it meets its buffers, found again by what it was called with.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "agreement/signature.hpp"
#include "plan/recipes.hpp"
#include "schedule/compiled_program.hpp"
#include "tutti/untyped.hpp"

namespace tutti::runtime {

/// What goes before the elements where ranks do not know one another's counts.
enum class Exchange : std::uint8_t {
  size_of_each,    ///< every rank gives all others one count
  counts_of_each,  ///< every rank gives all others its 2p
  count_of_pair,   ///< every rank gives each other one of its own
  verdict,         ///< ranks that have found nothing wrong wait for one another
};
inline constexpr std::size_t exchanges = 4;

/// A call's shape, checked: what it is to all ranks, and what this rank does.
struct PreparedCall {
  Problem problem;
  Wish wish;  ///< what the call asks for, and the environment: names of the catalogue
  detail::Datatype type;
  Signature signature;
  std::shared_ptr<const Recipe> recipe;  ///< null where counts must travel first, by `exchange`
  Exchange exchange = Exchange::size_of_each;
  bool read_only = false;                          ///< the output may not be written: see writing_elsewhere()
  std::vector<std::int64_t> input_displacements;   ///< of the blocks; empty: one after the other
  std::vector<std::int64_t> output_displacements;  ///< the same
  std::optional<CompiledProgram> compiled;         ///< of the recipe
  std::int64_t brief_bytes = -1;  ///< the compiled program's brief_elements() in bytes; -1: it is not brief
};

/// The calls of one rank on one communicator. One whose shape is known is found by comparing a few words.
class CallCache {
 public:
  /// Of rank `rank` of `ranks`.
  CallCache(int rank, int ranks, Recipes recipes) : rank_(rank), ranks_(ranks), recipes_(std::move(recipes)) {}

  /// Checks all that this rank can see by itself. Throws `Error(invalid_argument)` or `Error(unsupported)`.
  const std::shared_ptr<const PreparedCall>& find(const untyped::Call& call) {
    // Most calls are like the one before.
    if (last_->prepared != nullptr && is_plain(call) && last_->key == key_of(call)) return last_->prepared;
    return look_up(call);
  }
  /// The same for a call whose counts have travelled: of a whole all-to-all by counts, of what this rank alone sends
  /// and gets in it (2p counts), or of each rank's block.
  std::shared_ptr<const PreparedCall> with_counts(const PreparedCall& known, std::vector<std::int64_t> counts);
  /// What is run for that.
  const std::shared_ptr<const PreparedCall>& exchange(Exchange what);

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
    std::shared_ptr<const PreparedCall> prepared;
  };
  static constexpr std::size_t entries = 64;
  /// Up to here every rank learns all counts of an all-to-all, so that it may go by algorithms that pass blocks on; the
  /// counts are p² of them.
  static constexpr int most_ranks_told_all = 8;

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
  const std::shared_ptr<const PreparedCall>& look_up(const untyped::Call& call);
  std::shared_ptr<const PreparedCall> prepare(const untyped::Call& call);
  std::shared_ptr<const PreparedCall> finished(PreparedCall&& prepared);
  CompiledProgram compiled(const PreparedCall& prepared) const;

  int rank_;
  int ranks_;
  Recipes recipes_;
  std::array<Entry, entries> known_;
  Entry* last_ = known_.data();
  std::array<std::shared_ptr<const PreparedCall>, exchanges> exchanges_;  // by what they exchange
  std::shared_ptr<const PreparedCall> latest_;                            // of a call that is not plain
};

}  // namespace tutti::runtime

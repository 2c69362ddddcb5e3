/// @file
/// What all ranks of a run may know about one of them: whether it is there, why it ended, what it waits for.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/cache_line.hpp"

namespace tutti::runtime {

/// Lies in memory that all ranks share: the heap where ranks are threads, a segment where they are processes. Every
/// rank, and who started them, may read it at any time.
///
/// Who orders what:
/// - `state_` is stored with release and loaded with acquire: who sees `joined` sees the process number, who sees
///   `ended` sees the failure text and all that the rank wrote to shared memory before.
/// - `failure_` has one writer, the one that moved `phase_` from none to writing. It stores `written` with release, and
///   nobody writes the text afterwards; readers load `phase_` with acquire first.
/// - `waiting_` changes under a counter that is odd while it does. Its words are stored with release and loaded with
///   acquire: who reads a word of a later text sees that text's odd counter, or a still later one, on its second look,
///   and rejects what it read. The words are atomic, so that the rejected reading is no data race either.
class alignas(line_pair) RankRecord {
 public:
  /// The longest texts that are kept; what is longer is cut off.
  static constexpr std::size_t longest_failure = 511;
  static constexpr std::size_t longest_waiting = 255;

  /// The rank is there, as process `process`. Returns 0, or the process that has joined as this rank before.
  std::int64_t join(std::int64_t process);
  /// The rank has ended and takes part in nothing any more. Comes after the failure, if there is one.
  void end() { state_.store(State::ended, std::memory_order_release); }

  bool has_joined() const { return state_.load(std::memory_order_acquire) == State::joined; }
  bool has_ended() const { return state_.load(std::memory_order_acquire) == State::ended; }
  /// The process that has joined as this rank; 0: none yet.
  std::int64_t process() const { return process_.load(std::memory_order_acquire); }

  /// Why the rank is about to end, as in "rank 2 failed: TEXT". The first text stays, later ones are dropped.
  void note_failure(std::string_view text);
  /// The same from who knows that the rank's process is gone: counts too if that process died while it wrote its own.
  void note_death(std::string_view text);
  /// Whether anyone has begun to say why the rank ended.
  bool has_failed() const { return phase_.load(std::memory_order_acquire) != Phase::none; }
  /// Why the rank ended; empty while it has not, and where it ended as it should.
  std::string failure() const;

  /// The core that the rank was last seen on; -1: not known. A hint: nothing is ordered by it.
  int core() const { return core_plus_one_.load(std::memory_order_relaxed) - 1; }
  void set_core(int core) { core_plus_one_.store(core + 1, std::memory_order_relaxed); }

  /// What the rank waits for, in words; empty: for nothing. One thread at a time, the rank's, may set it.
  void set_waiting(std::string_view text);
  /// The latest such text; empty also while it is being changed.
  std::string waiting() const;

 private:
  enum class State : std::uint32_t { absent, joined, ended };
  enum class Phase : std::uint32_t { none, writing, written };
  static constexpr std::size_t words = (longest_waiting + 1) / sizeof(std::uint64_t);

  void write_failure(std::string_view text);

  std::atomic<State> state_ = State::absent;
  std::atomic<Phase> phase_ = Phase::none;
  std::atomic<std::int64_t> process_ = 0;
  std::atomic<std::int32_t> core_plus_one_ = 0;
  std::array<char, longest_failure + 1> failure_ = {};
  alignas(line_pair) std::atomic<std::uint64_t> waiting_version_ = 0;
  std::array<std::atomic<std::uint64_t>, words> waiting_ = {};

  static_assert(std::atomic<State>::is_always_lock_free && std::atomic<Phase>::is_always_lock_free);
  static_assert(std::atomic<std::int64_t>::is_always_lock_free && std::atomic<std::uint64_t>::is_always_lock_free);
};

static_assert(std::is_standard_layout_v<RankRecord>, "processes of different programs share it");

}  // namespace tutti::runtime

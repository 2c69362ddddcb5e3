/// @file
/// Record of a rank, for all ranks of a run: whether it is there, why it ended, what it waits for.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/system/processor.hpp"
#include "heap/arena_description.hpp"
#include "transport/interfaces/wait_state.hpp"
#include "transport/origin.hpp"
#include "transport/sleep_word.hpp"

namespace tutti::runtime {

/// Lies in memory that all ranks share: the heap where ranks are threads, a segment where they are processes. Every
/// rank, and who started them, may read it at any time.
///
/// Order of memory:
/// - `process_` is stored with release and loaded with acquire: who sees it sees the mark and the arena.
/// - `reach_` is stored with release and loaded with acquire: who sees that it is known sees the rows `reads_`
///   and `maps_`.
/// - `state_` is stored with release and loaded with acquire: who sees `joined` sees the process number, who sees
///   `ended` sees the failure text and all that the rank wrote to shared memory before.
/// - `failure_` has one writer, the one that moved `phase_` from none to writing, be it the rank or one that finds it
///   gone; but where the rank had begun, who has started it and knows that it is dead writes in its place. The writer
///   stores `written` with release, and nobody writes the text afterwards; readers load `phase_` with acquire first. A
///   text whose writer ends in its midst, and is not the rank, stays empty.
/// - `words_` is set by who starts the rank before that begins, then by the rank, with release after its failure text.
/// - `waiting_` changes under a counter that is odd while it does. Its words are stored with release and loaded with
///   acquire: who reads a word of a later text sees that text's odd counter, or a still later one, on its second look,
///   and rejects what it read. The words are atomic, so that the rejected reading is no data race either.
/// - `stamp_` is stored with release after the wait state that it belongs to, and is 0 while that changes: who finds
///   the same stamp before and after it reads has read that wait state.
/// - `clock_` is changed by additions alone (acquire and release): who reads it sees all wait states with stamps up to
///   what it reads, and all that ranks did which ended before. `quiet_since_` is stored with release after the
///   look that it tells of.
class alignas(line_pair) RankRecord {
 public:
  /// The longest texts that are kept; what is longer is cut off.
  static constexpr std::size_t longest_failure = 511;
  static constexpr std::size_t longest_waiting = 255;
  /// The most ranks that may be processes of one machine.
  static constexpr int most_ranks = 4096;

  /// The rank has joined, as process `process`, which has that mark and that arena. Returns 0, or the process that has
  /// joined as this rank before. Processes have the numbers that they know themselves by: elsewhere others may have
  /// them.
  std::int64_t join(std::int64_t process, const ProcessMark& mark = {}, const heap::ArenaDescription& arena = {});
  /// The rank has ended and takes part in nothing any more. Comes after the failure, if there is one. Where ranks share
  /// memory, end_rank() calls it, which also counts the end.
  void end() { state_.store(State::ended, std::memory_order_release); }

  bool has_joined() const { return state_.load(std::memory_order_acquire) == State::joined; }
  bool has_ended() const { return state_.load(std::memory_order_acquire) == State::ended; }
  /// The process that has joined as this rank; 0: none yet.
  std::int64_t process() const { return process_.load(std::memory_order_acquire); }

  /// Returns the mark of the process that has joined.
  ProcessMark mark() const { return mark_; }
  const heap::ArenaDescription& arena() const { return arena_; }

  /// Whether the rank can read what other ranks' processes have for themselves: of no other, of some, of all.
  enum class Reach : std::uint32_t { unknown, some, all };
  Reach reach() const { return reach_.load(std::memory_order_acquire); }
  /// Whether it can read rank `other`. Not before its reach is known.
  bool reads(int other) const {
    const auto at = static_cast<std::size_t>(other);
    return (reads_[at / 64].load(std::memory_order_relaxed) >> at % 64 & 1) != 0;
  }
  /// Whether it cannot read rank `other`, and can map its arena all the same. Not before its reach is known.
  bool maps(int other) const {
    const auto at = static_cast<std::size_t>(other);
    return (maps_[at / 64].load(std::memory_order_relaxed) >> at % 64 & 1) != 0;
  }
  /// The rank has found that. One thread at a time, before set_reach().
  void note_maps(int other) {
    const auto at = static_cast<std::size_t>(other);
    maps_[at / 64].fetch_or(std::uint64_t{1} << at % 64, std::memory_order_relaxed);
  }
  /// The rank has found that it can read rank `other`. One thread at a time, before set_reach().
  void note_reads(int other) {
    const auto at = static_cast<std::size_t>(other);
    reads_[at / 64].fetch_or(std::uint64_t{1} << at % 64, std::memory_order_relaxed);
  }
  void set_reach(Reach reach) { reach_.store(reach, std::memory_order_release); }

  /// Why the rank is about to end, as in "rank 2 failed: TEXT". The first text stays, later ones are dropped.
  void note_failure(std::string_view text) { note_first(text, Phase::rank_writes); }
  /// Notes the sentence of a peer that finds the rank's process gone.
  void note_gone(std::string_view text) { note_first(text, Phase::others_write); }
  /// Notes the sentence of the process that has started the rank and knows that it is dead, one thread at a time:
  /// counts too if that process died while it wrote its own.
  void note_death(std::string_view text);
  /// The words for an end by exit(), after "rank 2", from whoever tells of it.
  static std::string exited_with(int status);
  /// Whether anyone has begun to say why the rank ended.
  bool has_failed() const { return phase_.load(std::memory_order_acquire) != Phase::none; }
  /// Why the rank ended; empty while it has not, and where it ended as it should.
  std::string failure() const;

  /// Leaves it to the process that has started the rank to tell the user why it ended, if the rank does so. Before the
  /// rank is there.
  void await_words() { words_.store(Words::awaited, std::memory_order_relaxed); }
  /// Leaves it to who has started the rank to tell the user its failure(), which the rank has noted itself. False where
  /// nobody waits for that.
  bool leave_words() {
    Words awaited = Words::awaited;
    return words_.compare_exchange_strong(awaited, Words::left, std::memory_order_release, std::memory_order_relaxed);
  }
  bool has_left_words() const { return words_.load(std::memory_order_acquire) == Words::left; }

  /// The core that the rank was last seen on; -1: not known. A hint: nothing is ordered by it.
  int core() const { return core_plus_one_.load(std::memory_order_relaxed) - 1; }
  void set_core(int core) { core_plus_one_.store(core + 1, std::memory_order_relaxed); }

  /// Whether the rank is stopped, as by SIGSTOP, as far as who started it has seen. A hint: nothing is ordered by it.
  bool is_stopped() const { return is_stopped_.load(std::memory_order_relaxed) != 0; }
  void set_stopped(bool stopped) { is_stopped_.store(stopped ? 1 : 0, std::memory_order_relaxed); }

  /// The thread that the rank is, by the number that it knows itself by; 0: not known. A hint: nothing is ordered by
  /// it.
  std::int64_t thread() const { return thread_.load(std::memory_order_relaxed); }
  void set_thread(std::int64_t thread) { thread_.store(thread, std::memory_order_relaxed); }
  /// The process that runs as the rank, as who has started it knows it, also before it joins; 0: not started yet.
  /// Stored with release and loaded with acquire, with nothing else to see.
  std::int64_t started() const { return started_.load(std::memory_order_acquire); }
  void note_started(std::int64_t process) { started_.store(process, std::memory_order_release); }

  /// Counts pieces of work that the rank has done for a call which it has not entered yet, such as packing: whoever
  /// waits for it sees that it goes on. A hint: nothing is ordered by it.
  std::uint64_t work() const { return work_.load(std::memory_order_relaxed); }
  void note_work() { work_.fetch_add(1, std::memory_order_relaxed); }

  /// Whether the caller is to tell the user, at `now` of the steady clock, that ranks wait for this one: nobody else
  /// has within `gap`.
  bool claim_telling(std::chrono::nanoseconds now, std::chrono::nanoseconds gap) {
    std::int64_t latest = told_late_.load(std::memory_order_relaxed);
    // A time that lies ahead is told by another clock: processes may live in namespaces of time.
    if (latest != 0 && latest <= now.count() && now.count() - latest < gap.count()) return false;
    // Relaxed, both: only one may win, and nothing else is ordered by it.
    return told_late_.compare_exchange_strong(latest, now.count(), std::memory_order_relaxed);
  }

  /// Ranks that look whether this one's process is there say what they found; the second says how often in a row it was
  /// gone. Hints.
  void note_there() {
    if (missed_.load(std::memory_order_relaxed) != 0) missed_.store(0, std::memory_order_relaxed);
  }
  int note_missed() { return missed_.fetch_add(1, std::memory_order_relaxed) + 1; }

  /// Sets the rank's wait, in words and for wait_cycle_of(); empty: none. One thread at a time, the rank's, may set it.
  /// set_stamp(0) withdraws the wait before it changes.
  void set_waiting(std::string_view text, const WaitState& wait_state = {});
  /// The latest such text; empty also while it is being changed.
  std::string waiting() const;

  /// Tells one wait state from another; 0: the rank has none.
  std::uint64_t stamp() const { return stamp_.load(std::memory_order_acquire); }
  void set_stamp(std::uint64_t stamp) { stamp_.store(stamp, std::memory_order_release); }
  /// The latest wait state, and its stamp; 0 where there is none.
  std::uint64_t wait_state(WaitState& wait_state) const;
  /// The clock as it was before the rank's latest look that found nothing.
  std::uint64_t quiet_since() const { return quiet_since_.load(std::memory_order_acquire); }
  void set_quiet_since(std::uint64_t clock) { quiet_since_.store(clock, std::memory_order_release); }
  /// In the record of rank 0, where ranks share memory: counts wait states, each of which gets its count as a stamp,
  /// and ends of ranks.
  std::atomic<std::uint64_t>& clock() { return clock_; }
  /// There as well: counts ends of ranks, at least once each.
  std::atomic<std::uint32_t>& ends() { return ends_; }
  /// There as well: whether any rank has counted work. A hint: nothing is ordered by it.
  bool has_any_work() const { return has_any_work_.load(std::memory_order_relaxed); }
  void note_any_work() {
    if (!has_any_work()) has_any_work_.store(true, std::memory_order_relaxed);
  }
  /// In the record of rank 0, where ranks of an MPI program share memory: when any of them last needed the MPI of
  /// another one, in nanoseconds of the steady clock; 0: never. A hint: nothing is ordered by it.
  std::atomic<std::int64_t>& mpi_needed() { return mpi_needed_; }

  /// Whether the rank sleeps, for who posts what it may wait for.
  SleepWord& sleep_word() { return sleep_word_; }

 private:
  enum class State : std::uint32_t { absent, joined, ended };
  enum class Phase : std::uint32_t { none, rank_writes, others_write, written };
  enum class Words : std::uint32_t { none, awaited, left };
  static constexpr std::size_t text_words = (longest_waiting + 1) / sizeof(std::uint64_t);
  static constexpr std::size_t words = text_words + sizeof(WaitState) / sizeof(std::uint64_t);

  bool read_waiting(std::array<std::uint64_t, words>& copy) const;

  bool note_first(std::string_view text, Phase writing);
  void write_failure(std::string_view text);

  std::atomic<State> state_ = State::absent;
  std::atomic<Phase> phase_ = Phase::none;
  std::atomic<std::int64_t> process_ = 0;
  std::atomic<std::int64_t> claimant_ = 0;  // the one process that may join
  ProcessMark mark_;                        // written by the claimant before it joins
  heap::ArenaDescription arena_;            // so is this
  std::atomic<Reach> reach_ = Reach::unknown;
  std::atomic<std::int32_t> core_plus_one_ = 0;
  std::atomic<std::uint32_t> is_stopped_ = 0;
  std::atomic<std::int32_t> missed_ = 0;
  std::atomic<std::int64_t> thread_ = 0;
  std::atomic<std::int64_t> started_ = 0;
  std::atomic<std::int64_t> told_late_ = 0;  // when the user was told that ranks wait for this one
  std::atomic<std::uint64_t> work_ = 0;
  std::atomic<Words> words_ = Words::none;
  std::array<char, longest_failure + 1> failure_ = {};
  alignas(line_pair) std::atomic<std::uint64_t> waiting_version_ = 0;
  std::array<std::atomic<std::uint64_t>, words> waiting_ = {};  // the text, then the wait state
  std::atomic<std::uint64_t> stamp_ = 0;
  std::atomic<std::uint64_t> quiet_since_ = 0;
  alignas(line_pair) std::atomic<std::uint64_t> clock_ = 0;
  std::atomic<std::uint32_t> ends_ = 0;
  std::atomic<bool> has_any_work_ = false;
  std::atomic<std::int64_t> mpi_needed_ = 0;
  SleepWord sleep_word_;
  alignas(line_pair) std::array<std::atomic<std::uint64_t>, most_ranks / 64> reads_ = {};  // a bit a rank
  std::array<std::atomic<std::uint64_t>, most_ranks / 64> maps_ = {};  // ranks whose memory it maps, a bit each

  static_assert(std::atomic<State>::is_always_lock_free && std::atomic<Phase>::is_always_lock_free);
  static_assert(std::atomic<std::int64_t>::is_always_lock_free && std::atomic<std::uint64_t>::is_always_lock_free);
};

static_assert(std::is_standard_layout_v<RankRecord>, "processes of different programs share it");

/// Ends rank `rank` of a run whose ranks share memory: see RankRecord::end(). The clock goes on with it, so that looks
/// which began before are known to have missed what the rank did last.
void end_rank(std::span<RankRecord> records, int rank);

}  // namespace tutti::runtime

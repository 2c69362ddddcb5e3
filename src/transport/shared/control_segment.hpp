/// @file
/// The memory that the ranks of a communicator on one machine share, and who writes what of it.
///
/// All of it begins as zero bytes, which are the initial value of everything in it, and is reached at different
/// addresses by different processes: it holds no pointers.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "agreement/agreement.hpp"
#include "base/system/processor.hpp"
#include "heap/pages.hpp"
#include "transport/interfaces/channel.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {

/// Counters of one rank's calls. Written by that rank alone. All ranks read those of all others, so that they lie close
/// together: 16 ranks a page.
struct BoardCounters {
  alignas(line_pair) std::atomic<std::uint64_t> entered;  ///< collectives signed; releases what the board has of them
  /// Exact form of `completed`: for a reader that asks whether the rank has ended within a collective. Seldom read,
  /// too.
  std::atomic<std::uint64_t> finished;
  /// All collectives below this number are completed. On a line of its own: others read it again and again, while
  /// `entered`, which they seldom read, is written with every call.
  alignas(line_pair) std::atomic<std::uint64_t> completed;
};

/// Digests of one rank's signatures, which all ranks compare with their own: that of number s in entry s mod
/// kept_calls.
struct alignas(line_pair) BoardDigests {
  std::array<std::uint64_t, kept_calls> of;
};

/// Words of one rank in a meeting, beside those of all other ranks in the same one: of the meeting whose digest the rank
/// has signed. They are read before the meeting is completed, so that they take one entry a call slot.
struct BoardMeeting {
  std::int64_t color;
  std::int64_t key;
};

/// Rest of one rank's line on the board, of which others read what few calls need. Written by that rank alone; it signs
/// number s in entry s mod kept_calls.
struct BoardLine {
  /// Number + 1 once `words` holds that collective's, by call slot: they are read before it is completed.
  alignas(line_pair) std::array<std::atomic<std::uint64_t>, collective_slots> told;
  std::array<std::uint64_t, collective_slots> words;
  alignas(line_pair) std::array<std::uint64_t, kept_calls> balances;  ///< balances of signatures that have one
  std::array<Signature, kept_calls> signatures;
};

/// Why a rank ended the communicator. Written by that rank alone, once, before it closes the communicator.
struct ErrorRecord {
  std::atomic<bool> taken;
  ErrorCode code;
  std::array<char, 2040> text;
};

enum class SlotPacking : std::uint32_t {
  inside,        ///< the bytes lie in the slot
  in_cell,       ///< the bytes lie in the slot's cell
  in_place,      ///< the ranges lie in the slot
  listed,        ///< the slot says where the list of ranges lies
  streamed,      ///< the slot says where the ring lies through which the bytes come: see CopyRings
  in_its_place,  ///< the bytes lie in the receiver's place
  lent,          ///< in_place, and the receiver may make the sender's copy
};

/// A range as it is told to a peer.
struct ToldRange {
  std::uint64_t address;
  std::int64_t bytes;
};

/// One call slot of an ordered pair of ranks: room for one message.
///
/// The sender writes the message, then `posted` (release); the receiver reads `posted` (acquire), hence the message and
/// the data that it describes. The receiver is done with both before it writes `taken` (release); the sender reads
/// `taken` (acquire), or learns that the receiver has completed the collective, before it writes either again. One
/// writer a line, and no read-modify-write, but for lent copies.
///
/// A place. The receiver writes `place`, then `opened` (release), and touches that memory no more; the sender reads
/// `opened` (acquire), hence `place`, and may write there, alone or with helpers, whose writes it has acquired before
/// it writes `posted` (release), with which the receiver gets its memory back. The receiver opens the next place once
/// `posted` (acquire) says that the sender has done with the last.
///
/// A lent copy. The sender writes `copy` and `claimed`, then `posted` (release); both claim by read-modify-writes of
/// `claimed`, which order nothing: nobody touches a part that the other has claimed until `taken` (release), by which
/// the sender acquires what the receiver and its helpers have written. It asks for the rest before it posts again.
struct MessageSlot {
  static constexpr std::size_t room = 88;
  static constexpr std::size_t most_inside = 2;                               ///< ranges that the slot itself tells
  static constexpr std::size_t element_at = most_inside * sizeof(ToldRange);  ///< offset of the element's size
  static constexpr std::size_t name_at = element_at + sizeof(std::int64_t);   ///< offset of its type's name
  static constexpr std::size_t tag_at = name_at + sizeof(ShortName);          ///< offset of a message's tag
  static_assert(tag_at + sizeof(int) <= room);

  alignas(line_pair) std::atomic<std::uint64_t> posted;
  std::uint64_t digest;
  std::int64_t bytes;
  SlotPacking packing;
  std::uint32_t ranges;
  alignas(8) std::array<std::byte, room> payload;  // the first 32 bytes share the line of `posted`
  std::atomic<std::int64_t> filled;                // streamed: bytes put into the ring

  alignas(line_pair) std::atomic<std::uint64_t> taken;
  std::atomic<std::int64_t> drained;  // streamed: bytes taken out of the ring
  std::atomic<std::uint64_t> opened;  // the number of the message for which there is a place
  ToldRange place;
  bool place_is_sent;
  std::atomic<std::int64_t>
      claimed;  // claimed bytes of the sender's copy, from its begin; more than it has: all of them
  ToldRange copy;
};

/// Work that a rank shares with peers that wait for it: a fold, cut into chunks that are claimed one by one.
///
/// A rank carries out one such fold at a time, and may have several jobs all the same: it opens one anew only after all
/// helpers have left it, and a helper that the system has stopped in between then holds up fewer folds. Call slots
/// share jobs, so `open` also says for which call slot the work is.
///
/// The owner writes the work, then `open` (release). A helper adds itself to `helpers`, then reads `open` again: who
/// closes looks at the helpers after closing, who helps looks at `open` after registering, both in sequentially
/// consistent order, so either the helper sees it closed or the owner sees the helper, and waits before it writes the
/// work anew. `done` (release, acquire) carries what helpers wrote to the owner; `given_back` (the same) what they say
/// of chunks that they could not do.
struct FoldJob {
  static constexpr int most_operands = 8;
  static constexpr int most_places = static_cast<int>(Fold::most_also);
  static constexpr int of_a_rank = 8;

  /// Returns the value of `open` while the rank's work of that number, from 1 on, is open: never the same again.
  static std::uint64_t opened_as(std::uint64_t number, int call_slot) {
    return number * call_slots + static_cast<std::uint64_t>(call_slot);
  }
  /// Whether such a word says that work of the call slot is open.
  static bool is_open(std::uint64_t word, int call_slot) {
    return word != 0 && word % call_slots == static_cast<std::uint64_t>(call_slot);
  }

  alignas(line_pair) std::atomic<std::uint64_t> open;  ///< 0: closed; otherwise as opened_as() says
  std::int64_t bytes;
  std::int64_t chunk;
  std::int32_t operands;
  std::int32_t places;
  std::uint64_t gate;  ///< gate of the owner, for helpers that write into its own memory
  ToldRange into;
  std::array<ToldRange, most_places> also;
  std::array<ToldRange, most_operands> from;
  std::array<std::int32_t, most_operands> from_rank;  // in the communicator
  ToldRange copy;                                     // copy to be made; without bytes: there is none
  std::int32_t copied;
  alignas(line_pair) std::atomic<std::int64_t> claimed;
  alignas(line_pair) std::atomic<std::int64_t> done;
  std::atomic<std::int32_t> helpers;
  std::atomic<std::int32_t> given_back;  ///< chunks of this work that helpers have claimed and not done
};

/// Mark of a rank about its use of its peers' memory right now. Written by the rank, read by all who withdraw, and by
/// those that wait for help.
struct ReadingMark {
  alignas(line_pair) std::atomic<std::uint64_t> count;  ///< odd while it touches memory of a peer's
  std::atomic<std::uint64_t> helps;                     ///< 0, or 1 + the place of the job that it works on
  std::atomic<std::uint32_t> fills;                     ///< 1 while it may write into places of peers
};

/// A chunk that a rank has claimed and could not do. Such a rank helps nobody on this communicator any more, so that
/// there is one at most. Written by the rank alone, once; `place` releases the rest.
struct GivenBack {
  std::atomic<std::uint64_t> place;  ///< 0, or 1 + the place of the job
  std::uint64_t open;                ///< number of the job's work
  std::int64_t first;                ///< from this byte to the end of its chunk nothing is done
  bool is_spoiled;                   ///< a part of it may be done twice if it is done again
};

struct ControlHeader {
  alignas(line_pair) std::atomic<std::uint32_t> closed;  ///< 0, or 1 + the rank whose ErrorRecord holds
  std::atomic<std::uint32_t> sleepers;       ///< ranks that sleep and have something under way here: see Alarm
  std::atomic<std::uint32_t> call_sleepers;  ///< sleepers among them that are woken by calls
  std::atomic<std::int32_t> left;            ///< ranks that have left the communicator: see Leftovers
  std::atomic<std::int32_t> gone;            ///< ranks that do not look at it any more
  std::uint64_t identity;                    ///< identity of the communicator; written by its founder
  std::atomic<std::uint64_t> communicators;  ///< founded so far; that of all ranks counts
  alignas(line_pair) std::atomic<std::uint32_t> losses;  ///< ranks that have failed; that of all ranks counts
  std::atomic<std::uint32_t> first_lost;                 ///< 0, or 1 + the first of them: why others fail later
  std::atomic<std::uint32_t> departures;                 ///< times that Leftovers may free; that of all ranks counts
  /// Ranks that have signed a meeting, by call slot: p of them more each time that the slot is used for one.
  alignas(line_pair) std::array<std::atomic<std::uint32_t>, collective_slots> met;

  /// Rank `rank` of the run has failed; its record says why.
  void count_loss(int rank) {
    std::uint32_t none = 0;
    // Release, both: who learns of the loss finds the reason.
    first_lost.compare_exchange_strong(none, static_cast<std::uint32_t>(rank) + 1, std::memory_order_release,
                                       std::memory_order_relaxed);
    // Sequentially consistent, because wake_all() follows.
    losses.fetch_add(1, std::memory_order_seq_cst);
  }
  /// The first rank that has failed: acquires its reason. Nothing: none has.
  std::optional<int> first_loss() const {
    const std::uint32_t first = first_lost.load(std::memory_order_acquire);
    return first == 0 ? std::nullopt : std::optional(static_cast<int>(first) - 1);
  }
};

/// Finds the parts of the memory that p ranks share:
///
///     header | counters | digests | meetings | what else each rank tells | a word for every ordered pair: see PairMemory
///
/// A rank that joins or ends reads something of every other one. With p ranks that is little memory where the parts
/// which it reads lie side by side, and a page of each rank where they do not: p * p pages to be mapped and unmapped.
class ControlSegment {
 public:
  ControlSegment(std::byte* base, int ranks) : base_(base), ranks_(static_cast<std::size_t>(ranks)) {}

  /// Ends with a page.
  static std::size_t bytes(int ranks) {
    const auto p = static_cast<std::size_t>(ranks);
    return heap::round_up(pairs_at(p) + p * p * sizeof(std::atomic<std::uint64_t>), heap::page);
  }

  std::byte* base() const { return base_; }
  int ranks() const { return static_cast<int>(ranks_); }

  ControlHeader& header() const { return *reinterpret_cast<ControlHeader*>(base_); }
  BoardCounters& counters(int rank) const { return at<BoardCounters>(sizeof(ControlHeader), index(rank)); }
  BoardDigests& digests(int rank) const { return at<BoardDigests>(digests_at(ranks_), index(rank)); }
  BoardMeeting& meeting(std::uint64_t number, int rank) const {
    return at<BoardMeeting>(meetings_at(ranks_), number % meetings * ranks_ + index(rank));
  }
  BoardLine& board(int rank) const { return part(rank).board; }
  ErrorRecord& error(int rank) const { return part(rank).error; }
  ReadingMark& mark(int rank) const { return part(rank).mark; }
  GivenBack& given_back(int rank) const { return part(rank).given_back; }
  FoldJob& fold_job(int rank, int call_slot) const {
    return part(rank).jobs[static_cast<std::size_t>(call_slot % FoldJob::of_a_rank)];
  }
  /// A number for each job in it.
  static std::uint64_t place_of_job(int rank, int call_slot) {
    return static_cast<std::uint64_t>(rank) * FoldJob::of_a_rank +
           static_cast<std::uint64_t>(call_slot % FoldJob::of_a_rank);
  }
  /// Returns the place of the pair's memory; 0: it has none yet. Written by `from` alone, once.
  std::atomic<std::uint64_t>& pair(int from, int to) const {
    return at<std::atomic<std::uint64_t>>(pairs_at(ranks_), index(from) * ranks_ + index(to));
  }

 private:
  struct RankPart {
    BoardLine board;
    ErrorRecord error;
    ReadingMark mark;
    GivenBack given_back;
    std::array<FoldJob, FoldJob::of_a_rank> jobs;
  };

  static constexpr std::size_t digests_at(std::size_t p) { return sizeof(ControlHeader) + p * sizeof(BoardCounters); }
  static constexpr std::size_t meetings_at(std::size_t p) { return digests_at(p) + p * sizeof(BoardDigests); }
  static constexpr std::size_t parts_at(std::size_t p) { return meetings_at(p) + p * meetings * sizeof(BoardMeeting); }
  static constexpr std::size_t pairs_at(std::size_t p) { return parts_at(p) + p * sizeof(RankPart); }
  static constexpr std::size_t meetings = collective_slots;
  static_assert(meetings * sizeof(BoardMeeting) % line_pair == 0, "parts are aligned");

  static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }
  template <typename T>
  T& at(std::size_t offset, std::size_t index) const {
    return reinterpret_cast<T*>(base_ + offset)[index];
  }
  RankPart& part(int rank) const { return at<RankPart>(parts_at(ranks_), index(rank)); }

  std::byte* base_;
  std::size_t ranks_;
};

}  // namespace tutti::runtime

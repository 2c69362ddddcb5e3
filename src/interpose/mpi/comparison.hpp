/// @file
/// Whether all ranks of a communicator begin the same nonblocking collective, in a program that is checked.
///
/// MPI matches nonblocking collectives by the order in which ranks begin them, and looks at nothing else: another one,
/// another root or another length ends in wrong data, in an error of MPI's inside, or never. So each rank tells all
/// others what it begins, by an all-to-all of MPI's on the same communicator, which it begins before the collective
/// itself; in a collective by counts also how much it sends to each of them, and awaits of it. These are all alike, so
/// that they match whatever their ranks go on to begin. A rank that waits for the collective waits for them first, and
/// compares: MPI allows a collective to wait for all ranks.
///
/// The first blocking collective of a communicator, in which MPI brings its ranks together, is told in the same way,
/// and each one of an intercommunicator.
///
/// In an all-to-all of an intercommunicator a rank hears what those of the other group say, so that it finds what these
/// and itself do that does not go together.
///
/// All ranks of a communicator tell, or none does, because each of them sees alike who has this library.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/rank_lists.hpp"
#include "interpose/call_site.hpp"
#include "interpose/mpi/taken.hpp"

namespace tutti::interpose {

/// Whether ranks tell what they begin: from the end of MPI_Init to the begin of MPI_Finalize, where the program is
/// checked. Relaxed: it becomes so before there are other threads in MPI.
inline std::atomic<bool> beginnings_are_told = false;
inline bool are_beginnings_told() { return beginnings_are_told.load(std::memory_order_relaxed); }

/// How many bytes a rank sends to each rank of a communicator in a collective by counts, and how many it awaits of
/// each; -1: it does not know.
struct Flows {
  std::vector<std::int64_t> sent;
  std::vector<std::int64_t> awaited;

  Flows() = default;
  explicit Flows(int ranks) : sent(static_cast<std::size_t>(ranks), -1), awaited(sent) {}
};

/// What one rank does next, in a few parts that are compared one after the other.
struct Beginning {
  std::string words;  ///< "began MPI_Ibarrier"
  std::string kind;   ///< of the elements that are combined: "int32"; empty: not known, which fits any
  Flows flows;
  // Of an intercommunicator, whose ranks name one root in several ways, and do not all say how much that is.
  std::optional<int> root;  ///< as MPI has it: MPI_ROOT, MPI_PROC_NULL, or a rank of the other group
  std::string amount;       ///< "16 bytes and MPI_SUM"; empty: it fits any
  std::string blocks;       ///< "blocks of 4, 8 bytes", alike within one group; empty: it fits any
};

/// What one rank tells another one. Plain bytes.
struct Told {
  static constexpr std::size_t longest = 120;
  static constexpr int no_root = std::numeric_limits<int>::min();

  bool is_blocking = false;
  char words[longest] = {};
  char elements[24] = {};  ///< their kind
  char amount[64] = {};
  char blocks[104] = {};
  int root = no_root;
  std::int64_t sent = -1;     ///< to the other one
  std::int64_t awaited = -1;  ///< of the other one
};

/// What one rank begins, and what the others have told of theirs.
class Comparison {
 public:
  /// Whether ranks begin a nonblocking collective, or come together in any other that they call.
  enum class Kind : std::uint8_t { nonblocking, blocking };

  /// Tells all ranks of the communicator what this one does next. Null where the ranks tell nothing. Of a collective by
  /// counts each other rank is told what concerns it.
  static std::shared_ptr<Comparison> begin(Taken& on, Kind kind, const Beginning& what);
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

  /// Whether all ranks have told. One look at all that MPI has to do.
  bool have_all_told();
  /// Where it was begun.
  const Frames& begun_at() const { return begun_at_; }
  bool is_on(MPI_Comm handle) const { return handle == handle_ && !state_.expired(); }
  /// The communicator's state, or that of MPI_COMM_WORLD where the program has freed it.
  const Taken& on() const;
  /// Once all have told: a sentence that says who has begun what; nothing where that is the same on all ranks. Of ranks
  /// that all come together nothing is said either: what they have called is compared there.
  std::optional<std::string> difference() const;
  /// What this rank has begun, and which collective that is.
  std::string title() const;
  /// What each rank is told, and has told this one: of an intercommunicator those of the other group.
  const std::vector<Told>& mine() const { return mine_; }
  const std::vector<Told>& told() const { return told_; }

 private:
  Comparison(Taken& on, Kind kind, const Beginning& what);
  std::optional<std::string> sentence_of(const RankGroups& groups) const;
  std::optional<std::string> difference_of_elements() const;
  std::optional<std::string> difference_of_flows() const;
  std::optional<std::string> difference_between() const;

  std::weak_ptr<const void> state_;
  MPI_Comm handle_;
  std::string communicator_;
  std::string place_;
  int rank_;
  std::vector<int> others_in_job_;  // of an intercommunicator
  std::vector<Told> mine_;          // what each other rank is told
  std::vector<Told> told_;          // what each has told this one
  std::mutex mutex_;                // of the request
  MPI_Request request_ = MPI_REQUEST_NULL;
  Frames begun_at_;
};

/// Raises the first difference that is known by now and has not been raised; returns its code.
std::optional<int> raise_difference();

/// The program is about to free that communicator, and all ranks that have begun something there are to tell it before:
/// Open MPI does not free one on which something is under way, but fails. Waits no longer than the program's timeout.
void end_comparisons_on(MPI_Comm handle);

/// The program ends: waits until all ranks have told what this one has begun, and returns as raise_difference() does.
/// What some ranks have never begun is raised after the program's timeout.
void end_comparisons();

}  // namespace tutti::interpose

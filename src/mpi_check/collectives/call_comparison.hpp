/// @file
/// Comparison of the nonblocking collectives that the ranks of a communicator begin, in a program that is checked.
///
/// MPI matches nonblocking collectives by the order in which ranks begin them, and looks at nothing else: another
/// function, root or length ends in wrong data, in an error inside MPI, or never. So each rank tells all others what it
/// begins, by an all-to-all of MPI's on the same communicator, which it begins before the collective itself; in a
/// collective by counts also how much it sends to each of them, and awaits of it. These all-to-alls are alike, so that
/// they match whatever their ranks go on to begin. A rank that waits for the collective waits for them first, and
/// compares: MPI allows a collective to wait for all ranks.
///
/// The first blocking collective of a communicator, in which MPI brings its ranks together, is told in the same way,
/// and each one of an intercommunicator.
///
/// On an intercommunicator the all-to-all tells a rank what the other group begins, so that the rank finds what does
/// not match its own call.
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

#include "base/text/rank_lists.hpp"
#include "mpi_check/collectives/call_signature.hpp"
#include "mpi_job/communicators/served_communicator.hpp"
#include "mpi_job/process/call_site.hpp"

namespace tutti::interpose {

/// Whether ranks tell what they begin: from the end of MPI_Init to the begin of MPI_Finalize, where the program is
/// checked. Relaxed: it becomes so before there are other threads in MPI.
inline std::atomic<bool> beginnings_are_told = false;
/// From here on ranks tell nothing more; returns whether they did.
inline bool stop_telling_beginnings() { return beginnings_are_told.exchange(false, std::memory_order_relaxed); }
inline bool are_beginnings_told() { return beginnings_are_told.load(std::memory_order_relaxed); }

/// Comparison of what one rank begins with what the others have told of theirs.
class CallComparison {
 public:
  /// Whether ranks begin a nonblocking collective, or come together in any other that they call.
  enum class Kind : std::uint8_t { nonblocking, blocking };

  /// Tells all ranks of the communicator what this one does next. Null where the ranks tell nothing. Of a collective by
  /// counts each other rank is told what concerns it.
  static std::shared_ptr<CallComparison> begin(ServedCommunicator& on, Kind kind, const CallDescription& what);
  CallComparison(const CallComparison&) = delete;
  CallComparison& operator=(const CallComparison&) = delete;

  /// Whether all ranks have told. One look at all that MPI has to do.
  bool have_all_told();
  /// Returns the frames in which it was begun.
  const CallFrames& begun_at() const { return begun_at_; }
  bool is_on(MPI_Comm handle) const { return handle == handle_ && !state_.expired(); }
  /// The communicator's state, or that of MPI_COMM_WORLD where the program has freed it.
  const ServedCommunicator& on() const;
  /// Once all have told: a sentence that says who has begun what; nothing where that is the same on all ranks. Of ranks
  /// that all come together nothing is said either: what they have called is compared there.
  std::optional<std::string> difference() const;
  /// Returns the words for this rank's beginning, and which collective that is.
  std::string title() const;
  /// Returns the messages to each rank, and those from each: of an intercommunicator the other group.
  const std::vector<CallSignature>& mine() const { return mine_; }
  const std::vector<CallSignature>& told() const { return told_; }

 private:
  CallComparison(ServedCommunicator& on, Kind kind, const CallDescription& what);
  std::optional<std::string> sentence_of(const RankGroups& groups) const;
  std::optional<std::string> difference_of_elements() const;
  std::optional<std::string> difference_of_folded() const;
  std::optional<std::string> difference_of_flows() const;
  std::optional<std::string> difference_between() const;

  std::weak_ptr<const void> state_;
  MPI_Comm handle_;
  std::string communicator_;
  std::string place_;
  int rank_;
  std::vector<int> others_in_job_;   // ranks of an intercommunicator's other group in the job
  std::vector<CallSignature> mine_;  // messages to each other rank
  std::vector<CallSignature> told_;  // messages from each other rank
  std::mutex mutex_;                 // guards the request
  MPI_Request request_ = MPI_REQUEST_NULL;
  CallFrames begun_at_;
};

/// This rank awaits no more what others tell of it, and raises nothing of it; null has no effect. MPI keeps what was
/// begun.
void give_up(const std::shared_ptr<CallComparison>& comparison);

/// Raises the first difference that is known by now and has not been raised; returns its code.
std::optional<int> raise_difference();

/// Returns the first that is not known to be alike, on that communicator, or on any; null if there is none.
std::shared_ptr<CallComparison> first_open_comparison(std::optional<MPI_Comm> handle);
/// Whether a wait for something that was begun on that communicator has been given up.
bool is_comparison_given_up_on(MPI_Comm handle);

}  // namespace tutti::interpose

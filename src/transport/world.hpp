/// @file
/// All ranks of one run.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/layout.hpp"
#include "transport/communicator_name.hpp"
#include "transport/connection.hpp"
#include "transport/proposal.hpp"
#include "transport/rank_record.hpp"

namespace tutti::runtime {

/// What connects the ranks of a run.
enum class Engine : std::uint8_t { threads, processes, mpi };

/// The ranks of one host, and the cores that they may use together.
struct HostShare {
  int cores = 1;
  int ranks = 1;

  bool is_outnumbered() const { return ranks > cores; }
  /// Whether its ranks have fewer cores each.
  bool is_more_crowded_than(const HostShare& other) const {
    return std::int64_t{cores} * other.ranks < std::int64_t{other.cores} * ranks;
  }
};

/// What a message between nodes was found to take, in seconds.
struct NodeLink {
  double latency = 0;   ///< of a short one, one way
  double overhead = 0;  ///< more for each further one
  double byte = 0;      ///< each byte of a long one
  double exchange = 1;  ///< times as much for a byte where both ranks send to each other at a time
};

/// A communicator as one of its ranks joins it.
struct Membership {
  std::uint64_t identity = 0;
  /// How sentences call it, each time anew, because a name may change. Null for that of all ranks, and where the
  /// identity does.
  Title title;
  std::vector<int> members;  ///< its ranks in the whole run, in the communicator's order
  int rank = 0;              ///< this rank in it
  std::unique_ptr<Connection> connection;
};

/// What one rank adds to a communicator whose ranks tell one another by other means than the world's. Plain bytes.
struct Foundation {
  std::uint64_t name = 0;   ///< of the first rank: the communicator's
  std::uint64_t count = 0;  ///< of the first rank: it is the first of so many communicators that are made in this way
  std::uint64_t place = 0;  ///< where what this rank has made lies
};

/// What the ranks of a run have in common, whatever engine connects them. Thread-safe.
class World {
 public:
  World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  virtual ~World() = default;

  /// What rank 0 proposed when the ranks met: the same on every rank.
  const Proposal& agreed() const { return agreed_; }
  /// Sets that. By who makes the world, before any rank has it.
  void agree_on(const Proposal& proposal) { agreed_ = proposal; }

  /// What tells it from other worlds whose ranks may write the same trace: the same on every rank, and 0 where each
  /// process can have one such world alone.
  virtual std::uint64_t name() const { return 0; }

  virtual int size() const = 0;
  virtual RankRecord& record(int rank) = 0;
  const RankRecord& record(int rank) const { return const_cast<World&>(*this).record(rank); }
  /// How many ranks have failed so far.
  virtual std::uint32_t losses() const = 0;
  /// The first of them, as far as is known: others may have failed because of it.
  virtual std::optional<int> first_lost() const;
  /// Whether a rank is known to be stopped, as by SIGSTOP.
  virtual bool is_stopped(int) const { return false; }
  /// The number by which this process knows the rank's, where that is one of this machine that it may look at and has
  /// not ended; else 0.
  virtual std::int64_t process_of(int) const { return 0; }
  /// To be called often while a rank waits: hears what others tell, and finds failures that nobody has told.
  virtual void watch() {}
  /// Rank `rank` has failed for that reason, which is told to all.
  virtual void fail(int rank, const std::string& reason) = 0;

  // Ranks that wait for long: see circle.hpp.

  /// Rank `rank` waits, and all that it has done is told to those whom it concerns.
  virtual void announce(int rank, std::string_view text, const Standing& standing) = 0;
  /// It does not any more, or something has moved.
  virtual void withdraw(int rank) = 0;
  /// A point in time: the standings that this rank knows of are from before it.
  virtual std::uint64_t moment() = 0;
  /// Rank `rank` has looked, from `moment` on, for anything that could move, and found nothing since it was announced.
  virtual void note_quiet(int rank, std::uint64_t moment) = 0;
  /// Lets those know of it who suspect that they wait for ever.
  virtual void tell_quiet(int rank) = 0;
  /// Whether all of these ranks still stand as they did, and each has looked since it knew that the others did.
  struct Stand {
    int rank = 0;
    std::uint64_t stamp = 0;
  };
  virtual bool were_quiet(std::span<const Stand> stands) const = 0;

  // Ranks that sleep: see sleep_word.hpp.

  /// Rank `rank` is about to sleep, as its channels know: whatever others post from here on wakes it, and what they
  /// have posted before is to be seen. False where ranks are not woken; then it looks again and again.
  virtual bool lie_down(int, WokenBy) { return false; }
  /// Sleeps until it is woken, or for `most`, or as long as makes sense. Says whether it was woken.
  virtual bool sleep(int, std::chrono::nanoseconds) { return true; }
  virtual void get_up(int) {}

  /// The communicator of all ranks, as `rank` joins it.
  virtual Membership whole(int rank) = 0;
  /// The communicator that collective `number` of `parent` makes of the parent's `ranks`, in that order: all of them
  /// ask until they get it. `fresh` says who they are, and gets the rest.
  virtual bool join(const Membership& parent, std::uint64_t number, const std::vector<int>& ranks,
                    Membership& fresh) = 0;

  /// What this rank, as rank `rank` of them, adds to a communicator of these ranks of the run. Throws
  /// `Error(unsupported)` where there is no memory for it.
  virtual Foundation found(const std::vector<int>& members, int rank) = 0;
  /// That communicator, once `told` has what each of its ranks has added, by rank.
  virtual Membership join(std::span<const Foundation> told, std::vector<int> members, int rank) = 0;

  /// Zeroed memory that other ranks read in place, where the engine can; aligned to 64 bytes at least.
  virtual std::byte* allocate(std::size_t bytes) = 0;
  virtual void free(std::byte* memory) noexcept = 0;

  /// Whether bytes of long messages are on their way that move only while this rank looks.
  virtual bool is_carrying() const { return false; }

  /// This rank takes part in nothing any more; returns when the others need nothing of it. May be called again.
  virtual void close() {}

  virtual Engine engine() const = 0;
  /// What connects two ranks of one node, where that is something else: see layout().
  virtual Engine engine_inside() const { return engine(); }
  /// This rank's own host: what it tells may decide how the rank waits, and nothing that other ranks have to know.
  virtual HostShare host() const = 0;
  /// Where all ranks of the run are, as each found itself when it joined: the same on every rank. Nodes are machines,
  /// or what TUTTI_NODE names.
  virtual const Layout& layout() const = 0;
  /// The slowest link between nodes that was measured when the ranks met, where there are several: the same on every
  /// rank.
  virtual std::optional<NodeLink> node_link() const { return std::nullopt; }
  /// The most crowded host of the run, on which all ranks have agreed: the same on every rank.
  virtual HostShare most_crowded_host() const = 0;

 private:
  Proposal agreed_;
};

inline std::optional<int> World::first_lost() const {
  for (int rank = 0; rank < size(); ++rank) {
    if (record(rank).has_failed()) return rank;
  }
  return std::nullopt;
}

}  // namespace tutti::runtime

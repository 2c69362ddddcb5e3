/// @file
/// All ranks of one run: an interface for each job that they do for one another.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/transport.hpp"
#include "schedule/model/layout.hpp"
#include "transport/communicator_name.hpp"
#include "transport/interfaces/connection.hpp"
#include "transport/interfaces/rank_directory.hpp"
#include "transport/interfaces/wait_state.hpp"
#include "transport/proposal.hpp"
#include "transport/sleep_word.hpp"

namespace tutti::runtime {

/// Sleep of a rank in the kernel, until another one posts something for it.
class RankSleep {
 public:
  RankSleep() = default;
  RankSleep(const RankSleep&) = delete;
  RankSleep& operator=(const RankSleep&) = delete;

  /// Rank `rank` is about to sleep, as its channels know: whatever others post from here on wakes it, and what they
  /// have posted before is to be seen. False where ranks are not woken; then it looks again and again.
  virtual bool prepare_sleep(int, WokenBy) { return false; }
  /// Sleeps until it is woken, or for `most`, or as long as makes sense. Says whether it was woken.
  virtual bool sleep(int, std::chrono::nanoseconds) { return true; }
  virtual void finish_sleep(int) {}
  /// Whether ranks sleep for as long as nobody wakes them. Else they sleep no longer than they would nap, because they
  /// have to look for more than others wake them for.
  virtual bool sleeps_for_long() const { return true; }

 protected:
  ~RankSleep() = default;
};

/// Allocates memory that other ranks read in place, where they can. Thread-safe.
class SharedAllocator {
 public:
  SharedAllocator() = default;
  SharedAllocator(const SharedAllocator&) = delete;
  SharedAllocator& operator=(const SharedAllocator&) = delete;

  /// Zeroed memory that other ranks read in place, where they can; aligned to 64 bytes at least.
  virtual std::byte* allocate(std::size_t bytes) = 0;
  virtual void free(std::byte* memory) noexcept = 0;

 protected:
  ~SharedAllocator() = default;
};

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

/// Times of a message between nodes, in seconds.
struct LinkTimes {
  double latency = 0;   ///< time of a short one, one way
  double overhead = 0;  ///< more for each further one
  double byte = 0;      ///< each byte of a long one
  double exchange = 1;  ///< times as much for a byte where both ranks send to each other at a time
};

/// Hosts and nodes of a run's ranks, and what connects them.
class RunTopology {
 public:
  RunTopology() = default;
  RunTopology(const RunTopology&) = delete;
  RunTopology& operator=(const RunTopology&) = delete;

  /// Returns what connects the ranks of the run: `processes` also where they share no heaps.
  virtual Transport transport() const = 0;
  /// Returns what connects two ranks of one node (see layout()), which may be something else.
  virtual Transport transport_inside() const { return transport(); }
  /// This rank's own host: what it tells may decide how the rank waits, and nothing that other ranks have to know.
  virtual HostShare host() const = 0;
  /// Returns the places of all ranks of the run, as each found itself when it joined: equal on every rank. Nodes are
  /// machines, or what TUTTI_NODE names.
  virtual const Layout& layout() const = 0;
  /// The slowest link between nodes that was measured when the ranks met, where there are several: the same on every
  /// rank.
  virtual std::optional<LinkTimes> node_link() const { return std::nullopt; }
  /// The most crowded host of the run, on which all ranks have agreed: the same on every rank.
  virtual HostShare most_crowded_host() const = 0;

 protected:
  ~RunTopology() = default;
};

/// A communicator as one of its ranks joins it.
struct Membership {
  std::uint64_t identity = 0;
  /// Returns its name in sentences, each time anew, because a name may change. Null for that of all ranks, and if the
  /// identity tells it.
  Title title;
  std::vector<int> members;  ///< its ranks in the whole run, in the communicator's order
  int rank = 0;              ///< this rank in it
  std::unique_ptr<Connection> connection;
};

/// Contribution of one rank to a communicator whose ranks tell one another by other means than the world's. Plain
/// bytes.
struct Foundation {
  std::uint64_t name = 0;   ///< the first rank's: the communicator's name
  std::uint64_t count = 0;  ///< the first rank's: it is the first of so many communicators that are made in this way
  std::uint64_t place = 0;  ///< place of what this rank has made
};

/// Makes communicators of a run.
class CommunicatorFactory {
 public:
  CommunicatorFactory() = default;
  CommunicatorFactory(const CommunicatorFactory&) = delete;
  CommunicatorFactory& operator=(const CommunicatorFactory&) = delete;

  /// The communicator of all ranks, as `rank` joins it.
  virtual Membership whole(int rank) = 0;
  /// The communicator that collective `number` of `parent` makes of the parent's `ranks`, in that order: all of them
  /// ask until they get it. `fresh` says who they are, and gets the rest.
  virtual bool join(const Membership& parent, std::uint64_t number, const std::vector<int>& ranks,
                    Membership& fresh) = 0;

  /// Returns the contribution of this rank, as rank `rank` of them, to a communicator of these ranks of the run. Throws
  /// `Error(unsupported)` if there is no memory for it.
  virtual Foundation found(const std::vector<int>& members, int rank) = 0;
  /// Returns that communicator, once `told` has the contributions of its ranks, by rank.
  virtual Membership join(std::span<const Foundation> told, std::vector<int> members, int rank) = 0;

 protected:
  ~CommunicatorFactory() = default;
};

/// World: what the ranks of a run have in common, whatever connects them. Thread-safe.
class World : public RankDirectory,
              public RunTopology,
              public WaitBoard,
              public RankSleep,
              public CommunicatorFactory,
              public SharedAllocator {
 public:
  virtual ~World() = default;

  /// Returns the proposal of rank 0 when the ranks met: equal on every rank.
  const Proposal& agreed() const { return agreed_; }
  /// Sets that. By who makes the world, before any rank has it.
  void agree_on(const Proposal& proposal) { agreed_ = proposal; }

  /// Returns what tells it from other worlds whose ranks may write the same trace: equal on every rank, and 0 if each
  /// process can have one such world alone.
  virtual std::uint64_t name() const { return 0; }

  bool claim_telling(int rank, std::chrono::nanoseconds now, std::chrono::nanoseconds gap) override {
    return record(rank).claim_telling(now, gap);
  }
  bool tells_once() const override { return transport() != Transport::mpi; }
  /// Frees memory of communicators that all of their ranks have left.
  virtual void tidy() {}

  /// Whether bytes of long messages are on their way that move only while this rank looks.
  virtual bool is_carrying() const { return false; }

  /// This rank takes part in nothing any more; returns when the others need nothing of it. May be called again.
  virtual void close() {}

 private:
  Proposal agreed_;
};

}  // namespace tutti::runtime

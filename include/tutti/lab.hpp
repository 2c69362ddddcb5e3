/// @file
/// Algorithms of one's own: written once, as the text that every rank runs, then proved, priced, simulated, drawn, and
/// run like those of the library. What is wrong is not run: see `Proving`.
///
///     namespace lab = tutti::lab;
///     const lab::Algorithm mine(tutti::Collective::broadcast, "mine", [](lab::Rank& me) {
///       if (me.rank() != me.root()) {
///         me.receive(me.message(), me.root());
///         me.wait();
///       } else {
///         for (int other = 0; other < me.size(); ++other) {
///           if (other != me.root()) me.send(me.message(), other);
///         }
///         me.wait();
///       }
///     });
///     assert(lab::prove(mine, 1, 16));
///     comm.broadcast(data, {.algorithm = mine});
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tutti/collective.hpp"
#include "tutti/detail/export.hpp"

namespace tutti {
class Script;
struct Algorithm;
}  // namespace tutti

namespace tutti::lab {

/// A rank's memory as algorithms see it. Positions count elements.
enum class Buffer : std::uint8_t { input, output, scratch };

/// `count` consecutive elements of a buffer.
struct Slice {
  Buffer buffer = Buffer::input;  ///< memory that it lies in
  std::int64_t first = 0;         ///< first element
  std::int64_t count = 0;         ///< number of elements
};

/// Slices of one message, in the order of the list.
using Slices = std::vector<Slice>;

/// The rank that runs the text, in the message-passing notation of the textbooks. Algorithms never look at data: the
/// text is run once for each rank, to find out what the rank does.
///
/// Slices of fewer than no elements, and blocks that a rank does not have, are refused: `Error(invalid_argument)`.
/// Operations between two waits are in flight together, so that none may write what another one reads or writes.
/// Messages of no elements are left out on either side. A message between two ranks meets the operation that the peer
/// posted first for this rank.
class TUTTI_API Rank {
 public:
  explicit Rank(Script& script) : script_(&script) {}

  int rank() const;      ///< Returns this rank's number, in [0, size()).
  int size() const;      ///< Returns the number of ranks.
  int root() const;      ///< Returns the root, for collectives that have one.
  int distance() const;  ///< Returns the distance of a shift.

  /// All of the rank's input or output, or a block of it: where the collective gives a rank a block for each rank, that
  /// block; of a whole message, its part, one of size() that are as even as can be. Throws `Error(invalid_argument)`
  /// for a block that the rank does not have. Cost: none.
  Slice input() const;
  Slice input(int block) const;
  Slice output() const;
  Slice output(int block) const;
  /// Returns the message of a broadcast, which lies in every rank's output, at the root from the start. No errors, no
  /// cost.
  Slice message() const;
  /// Returns elements of memory beside input and output; as many as the text asks for. Throws `Error(invalid_argument)`
  /// for a first element or a count below 0. Cost: memory up to the last element that the text asks for, in every call
  /// that runs it.
  Slice scratch(std::int64_t first, std::int64_t count);

  /// Starts to send to rank `to`, or to receive from rank `from` as many elements as it sends; done after wait().
  /// Errors: see above; what is sent and not received, or has another length, is found by the proof. Cost: ts + tw m b.
  void send(const Slices& message, int to);
  void receive(const Slices& into, int from);
  /// Receives and combines: into = mine ∘ received in the order of ranks, which operators that do not commute need; all
  /// have equally many elements. Errors: as receive(). Cost: that of receive(), and tc a byte.
  void receive_reduce(const Slices& into, const Slices& mine, int from);
  /// Copies elements within this rank's memory, as many as `from` has. Errors: see above. Cost: a pass over them.
  void copy(const Slices& to, const Slices& from);
  /// Combines elements of this rank's memory: into = left ∘ right. Errors: see above. Cost: tc a byte.
  void reduce(const Slices& into, const Slices& left, const Slices& right);
  /// Waits for everything since the last wait. No errors: what never comes is found by the proof. Cost: that of the
  /// slowest operation since.
  void wait();
  /// Begins a phase of that name, for those who draw and list it. No errors. Cost: none where the text is run.
  void phase(std::string_view name);

  /// Take one slice where the calls above take several. Errors and cost: theirs.
  void send(const Slice& message, int to) { send(Slices{message}, to); }
  void receive(const Slice& into, int from) { receive(Slices{into}, from); }
  void receive_reduce(const Slice& into, const Slice& mine, int from) {
    receive_reduce(Slices{into}, Slices{mine}, from);
  }
  void copy(const Slice& to, const Slice& from) { copy(Slices{to}, Slices{from}); }
  void reduce(const Slice& into, const Slice& left, const Slice& right) {
    reduce(Slices{into}, Slices{left}, Slices{right});
  }

 private:
  Script* script_;
};

/// Text that every rank runs. It is called often and by several threads at once: it depends on the rank alone, and has
/// no state.
using Text = std::function<void(Rank& me)>;

/// Problem that an algorithm is asked to solve.
struct Problem {
  int ranks = 1;  ///< number of ranks, at least 1
  /// Elements: of the whole message for broadcast, reduce, all-reduce and the scans, of one rank's block for the
  /// others.
  std::int64_t count = 1;
  int root = 0;                    ///< root, for collectives that have one
  int distance = 1;                ///< distance of a shift
  bool commutative = true;         ///< whether the operator is
  std::int64_t element_bytes = 1;  ///< for times
};

/// When calls have an algorithm of one's own proved.
enum class Proving : std::uint8_t {
  /// Before the first call of each shape: ranks, counts, root, distance, in place, whether the operator commutes. All
  /// ranks of a process share one proof, of milliseconds for some dozens of ranks; where it fails, no rank runs
  /// anything, and the call throws `Error(invalid_argument)` naming the rank, the step and the reason. A schedule of
  /// more than 2^20 operations is too large to be proved by the way, and the call throws `Error(unsupported)`.
  before_first_call,
  /// Never: calls run the text whatever it does. A wrong one may hang, or write where it should not.
  never,
};

/// An algorithm of one's own. Its name is known to every call of its collective from now on, for as long as the program
/// runs, in all threads: `{.algorithm = mine}`. All ranks that call it must know it. A copy means the same algorithm.
class TUTTI_API Algorithm {
 public:
  /// Makes the algorithm known. Throws `Error(invalid_argument)` where the name is empty, or that of another algorithm
  /// of the collective, and where there is no text. Cost: an entry in a table, for as long as the program runs.
  Algorithm(Collective collective, std::string_view name, Text text, Proving proving = Proving::before_first_call);

  /// Returns the name, by which calls and the command take it. No errors, no cost.
  operator std::string_view() const { return name(); }  // NOLINT: an algorithm is named where it is used
  std::string_view name() const;
  /// Returns the algorithm as the library keeps it. No errors, no cost.
  const tutti::Algorithm& algorithm() const { return *algorithm_; }

 private:
  const tutti::Algorithm* algorithm_;
};

/// The outcome of a proof.
struct Proof {
  bool proved = false;  ///< whether it holds
  std::string reason;   ///< place and reason of the failure, one line; empty otherwise

  /// Returns `proved`. No errors, no cost.
  explicit operator bool() const { return proved; }
};

/// Runs all ranks symbolically: the result is what the collective owes, with sends that are not buffered, nothing is
/// lost or counted twice, no step writes what it reads, and ranks that must agree hold the same bits. Throws
/// `Error(invalid_argument)` for a problem that is not well formed. Cost: grows with the operations of all ranks, and
/// the elements that they move; milliseconds for some dozens of ranks.
TUTTI_API Proof prove(const Algorithm& algorithm, const Problem& problem);
/// Proves the algorithm for every number of ranks from `first` to `last`, all roots and difficult counts: none, fewer
/// than ranks, uneven ones, in place. The operator is not taken to commute. Errors and cost: as above, for each of
/// these problems.
TUTTI_API Proof prove(const Algorithm& algorithm, int first, int last);

/// Way in which messages cross several links.
enum class Switching : std::uint8_t { alpha_beta, cut_through, store_and_forward };

/// Costs of messages, in seconds: a message, a byte, a hop, and a byte that is combined.
struct Machine {
  double ts = 1e-6;                             ///< start of a message
  double tw = 1e-9;                             ///< a byte on a link
  double th = 0;                                ///< a hop
  double tc = 0;                                ///< a byte that is combined
  Switching switching = Switching::alpha_beta;  ///< way of messages over several links
};

/// A run in virtual time.
struct Times {
  double seconds = 0;         ///< end of the last rank
  double bound_seconds = 0;   ///< no algorithm takes less
  std::int64_t rounds = 0;    ///< messages on the longest chain
  std::int64_t messages = 0;  ///< messages of all ranks
  std::int64_t bytes = 0;     ///< in all messages
  int most_shared = 0;        ///< the greatest number of messages on one link at a time
};

/// On a network such as "ring:8" or "torus:4x4" (`tutti list --topologies`); empty: a cable between every two ranks.
/// Throws `Error` where network and problem differ in ranks, and where the text does not come to its end. Cost: grows
/// with the messages of all ranks, and the links that each of them crosses.
TUTTI_API Times simulate(const Algorithm& algorithm, const Problem& problem, std::string_view topology = {},
                         const Machine& machine = {});

/// An algorithm and what it takes.
struct Price {
  std::string algorithm;  ///< name
  double seconds = 0;     ///< simulated time
};

/// This algorithm and those of the library for the same problem, by simulation, the fastest first. Those of the library
/// with more than 2^20 messages are left out. Errors and cost: as simulate(), for each of the algorithms.
TUTTI_API std::vector<Price> price(const Algorithm& algorithm, const Problem& problem, std::string_view topology = {},
                                   const Machine& machine = {});

/// Returns the steps as a picture (SVG), or as a page that plays them (HTML). Throws `Error` for a schedule that cannot
/// be run to its end, and above 1024 ranks. Cost: grows with the operations of all ranks, in memory as well.
TUTTI_API std::string draw(const Algorithm& algorithm, const Problem& problem, std::string_view topology = {});
TUTTI_API std::string draw_page(const Algorithm& algorithm, const Problem& problem, std::string_view topology = {});

/// Returns the program of every rank, a line an operation. Throws `Error` if the text cannot be recorded. Cost: grows
/// with the operations of all ranks.
TUTTI_API std::string listing(const Algorithm& algorithm, const Problem& problem);

}  // namespace tutti::lab

/// @file
/// One rank's end of a communicator, and folds whose operands may lie in memory of other ranks.
#pragma once

#include "agreement/agreement.hpp"
#include "transport/interfaces/channel.hpp"
#include "transport/interfaces/failure.hpp"
#include "transport/interfaces/message.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {

/// Memory of a rank that is there cannot be reached: what carry_out() throws. The text says whose, where and why.
class Unreachable : public Error {
 public:
  using Error::Error;
};

/// Kind of a fold in a program, for whoever keeps a record. `copies_on`: a further part of a copy.
enum class FoldKind : std::uint8_t { receives, copies, copies_on, combines };

/// Computes folds, on one rank of a communicator. For one thread at a time.
class Folding {
 public:
  Folding() = default;
  Folding(const Folding&) = delete;
  Folding& operator=(const Folding&) = delete;
  virtual ~Folding() = default;

  /// Computes the fold; peers that wait may help. False if the communicator has failed, or is about to, because a rank
  /// has ended or help does not come to its end: the fold may be half done, and all later ones are refused. Waits for
  /// peers that help, not longer than Failure::timeout without a move. Throws `Unreachable` where memory of a rank that
  /// is there cannot be reached.
  virtual bool carry_out(const Fold& fold, const Combination& how, int call_slot) = 0;
  /// Lends `peer` a hand in what it carries out, if it wants one.
  virtual void help(int peer, int call_slot, const Combination& how) = 0;

  /// A fold of a program begins, which may need several of the above, or none; it has ended after so many bytes.
  virtual void begin() {}
  virtual void end(FoldKind, std::int64_t) {}
};

/// The four jobs of what connects a rank with the others of a communicator, and what its channel can do beside. Whoever
/// makes one owns what does them.
class Connection {
 public:
  Connection(Agreement& agreement, Channel& channel, Folding& folding, Failure& failure)
      : jobs_{agreement, channel, folding, failure}, capabilities_(channel.capabilities()) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  Agreement& agreement() const { return jobs_.agreement; }
  Channel& channel() const { return jobs_.channel; }
  const ChannelCapabilities& capabilities() const { return capabilities_; }
  Folding& folding() const { return jobs_.folding; }
  Failure& failure() const { return jobs_.failure; }

 private:
  struct Jobs {
    Agreement& agreement;
    Channel& channel;
    Folding& folding;
    Failure& failure;
  };
  Jobs jobs_;
  ChannelCapabilities capabilities_;
};

}  // namespace tutti::runtime

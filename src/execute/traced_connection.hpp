/// @file
/// A connection whose messages and folds are recorded.
#pragma once

#include <vector>

#include "trace/recorder.hpp"
#include "transport/interfaces/connection.hpp"

namespace tutti::runtime {

/// The channel that it is made around, which writes down what it is asked and what it answers. It offers no short slots:
/// a traced rank takes the long way, so that each message is written down.
class TracedChannel final : public Channel {
 public:
  TracedChannel(Channel& channel, Trace& trace) : channel_(channel), trace_(trace) {}

  PostResult post(const Route& route, const Outgoing& message) override;
  bool delivered(const Route& route) override;
  bool arrived(const Route& route, std::span<std::byte> landing, Arrival& arrival) override;
  bool peek(const Route& route, Arrival& arrival) override;
  void release(const Route& route) override;
  ChannelCapabilities capabilities() override;
  void hear() override { channel_.hear(); }
  void enter_phase(int call_slot, std::string_view name) override { trace_.enter_phase(call_slot, name); }
  void prepare_sleep(WokenBy what) override { channel_.prepare_sleep(what); }
  void finish_sleep(WokenBy what) override { channel_.finish_sleep(what); }

 private:
  Channel& channel_;
  Trace& trace_;
};

/// Traces folds.
class TracedFolding final : public Folding {
 public:
  TracedFolding(Folding& folding, Trace& trace) : folding_(folding), trace_(trace) {}

  bool carry_out(const Fold& fold, const Combination& how, int call_slot) override {
    return folding_.carry_out(fold, how, call_slot);
  }
  void help(int peer, int call_slot, const Combination& how) override { folding_.help(peer, call_slot, how); }
  void begin() override { began_.push_back(trace_clock()); }
  void end(FoldKind kind, std::int64_t bytes) override;

 private:
  Folding& folding_;
  Trace& trace_;
  std::vector<Instant> began_;  // folds that have, the latest last: a user's operator may call again
};

class TracedParts {
 protected:
  TracedParts(const Connection& connection, Recorder& recorder, std::uint64_t communicator, int rank,
              std::vector<int> members)
      : trace_(recorder, communicator, rank, std::move(members)),
        channel_(connection.channel(), trace_),
        folding_(connection.folding(), trace_) {}

  Trace trace_;
  TracedChannel channel_;
  TracedFolding folding_;
};

/// Around a connection, which it needs as long as it lives, of rank `rank` among `members` of the run.
class TracedConnection final : private TracedParts, public Connection {
 public:
  TracedConnection(const Connection& connection, Recorder& recorder, std::uint64_t communicator, int rank,
                   std::vector<int> members)
      : TracedParts(connection, recorder, communicator, rank, std::move(members)),
        Connection(connection.agreement(), channel_, folding_, connection.failure()) {}
};

}  // namespace tutti::runtime

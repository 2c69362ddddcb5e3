/// @file
/// One rank's end of a communicator.
#pragma once

#include "agreement/agreement.hpp"
#include "transport/channel.hpp"
#include "transport/failure.hpp"
#include "transport/folding.hpp"

namespace tutti::runtime {

/// The four jobs of what connects a rank with the others of a communicator. Whoever makes one owns what does them.
class Connection {
 public:
  Connection(Agreement& agreement, Channel& channel, Folding& folding, Failure& failure)
      : jobs_{agreement, channel, folding, failure} {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  Agreement& agreement() const { return jobs_.agreement; }
  Channel& channel() const { return jobs_.channel; }
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
};

}  // namespace tutti::runtime

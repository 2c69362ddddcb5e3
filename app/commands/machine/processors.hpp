/// @file
/// The processors of all ranks, where a launcher has bound each rank to some.
#pragma once

#include <sched.h>

#include "tutti/communicator.hpp"

namespace tutti::app {

/// The processors that any of the ranks may use, which share one machine; a collective call.
cpu_set_t processors_of_all(Communicator& comm);

/// While it lives, the calling thread, and those that it starts, may use these processors.
class Unbound {
 public:
  explicit Unbound(const cpu_set_t& processors);
  Unbound(const Unbound&) = delete;
  Unbound& operator=(const Unbound&) = delete;
  ~Unbound();

 private:
  cpu_set_t before_;
};

}  // namespace tutti::app

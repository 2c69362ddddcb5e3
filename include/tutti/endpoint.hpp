/// @file
/// A rank's place in a communicator: what all calls rest on.
#pragma once

#include <cstddef>
#include <memory>

#include "tutti/detail/call.hpp"
#include "tutti/handle.hpp"
#include "tutti/plan.hpp"

namespace tutti {

namespace runtime {
class CommunicatorState;
}  // namespace runtime

/// The base of Communicator: who this rank is, and the three ways in which every collective is made.
class Endpoint {
 public:
  explicit Endpoint(std::shared_ptr<runtime::CommunicatorState> state) : state_(std::move(state)) {}

  /// This rank's number, in [0, size()).
  int rank() const;
  /// The number of ranks.
  int size() const;

 protected:
  void run(const detail::Call& call);
  Handle start(const detail::Call& call);
  Plan plan(const detail::Call& call);

  std::byte* allocate_bytes(std::size_t n, std::size_t element_size);
  std::shared_ptr<void> owner_of(std::byte* memory);

  const std::shared_ptr<runtime::CommunicatorState>& state() const { return state_; }

 private:
  std::shared_ptr<runtime::CommunicatorState> state_;
};

}  // namespace tutti

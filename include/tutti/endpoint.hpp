/// @file
/// A rank's place in a communicator: what all calls rest on.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "tutti/detail/arguments.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/envelope.hpp"
#include "tutti/handle.hpp"
#include "tutti/plan.hpp"

namespace tutti {

namespace runtime {
class CommunicatorContext;
}  // namespace runtime

/// The base of Communicator: who this rank is, and the ways in which every collective is made.
///
/// One that was moved from may be destroyed or assigned to, and nothing else: no call looks for that.
class TUTTI_API Endpoint {
 public:
  explicit Endpoint(std::shared_ptr<runtime::CommunicatorContext> context) : context_(std::move(context)) {}

  /// Returns this rank's number, in [0, size()). No errors, no cost.
  int rank() const;
  /// Returns the number of ranks. No errors, no cost.
  int size() const;

  // Untyped calls, which all others become: see untyped.hpp.

  /// Returns when this rank's part is done. Shapes: see Call. Errors: those of the collective. Cost: that of the typed
  /// call; a call of a known shape allocates nothing, but what holds a program's own operator, or copies of counts
  /// that are no std::int64_t.
  void run(const untyped::Call& call);
  /// Returns at once. The buffers must stay until the handle is done; counts and options may go. Errors: those of wrong
  /// arguments at once, all others at the wait. Cost: as run(), and an allocation.
  Handle start(const untyped::Call& call);
  /// Returns at once. Where the call's messages are short and the other ranks come to it within a microsecond or two,
  /// it is done, and there is no handle; otherwise it was started, as by start(). For callers that will most likely wait
  /// soon, and cannot know. Errors: those of run() and of start(). Cost: that of run() where it is done.
  std::optional<Handle> run_or_start(const untyped::Call& call);
  /// Prepares the call for many runs. A local call. The buffers must stay as long as the plan. Errors: wrong arguments.
  /// Cost: for a new shape up to a millisecond, and the memory of its intermediate results.
  Plan plan(const untyped::Call& call);
  /// Messages, whose shapes, errors and cost Messages describes. They return at once; the data must stay until the
  /// handle is done.
  Handle start_send(const untyped::Parcel& parcel, int to, const MessageOptions& options);
  Handle start_receive(const untyped::Parcel& parcel, int from, const MessageOptions& options);
  Handle start_send_receive(const untyped::Parcel& sent, int to, const untyped::Parcel& received, int from,
                            const MessageOptions& options);

 protected:
  /// Calls start() and plan() for arguments of these types.
  template <typename... Data>
  Handle start_with(const untyped::Call& call) {
    detail::check_lasting<Data...>();
    return start(call);
  }
  template <typename... Data>
  Plan plan_with(const untyped::Call& call) {
    detail::check_lasting<Data...>();
    return plan(call);
  }

  std::byte* allocate_bytes(std::size_t n, std::size_t element_size);
  std::shared_ptr<void> owner_of(std::byte* memory);

  const std::shared_ptr<runtime::CommunicatorContext>& context() const { return context_; }

 private:
  std::shared_ptr<runtime::CommunicatorContext> context_;
};

}  // namespace tutti

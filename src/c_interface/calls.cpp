// Collectives and messages of the C interface.

#include <memory>

#include "base/check.hpp"
#include "c_interface/bound_arguments.hpp"
#include "c_interface/elements.hpp"
#include "c_interface/objects.hpp"
#include "c_interface/status.hpp"
#include "tutti/tutti.h"

namespace tutti::c_interface {
namespace {

untyped::Parcel parcel_of(const void* data, std::int64_t count, tutti_type type, std::string_view function) {
  require(data != nullptr || count <= 0, "{}: the data is NULL, and has {} elements: pass a buffer", function, count);
  const untyped::Datatype& element = datatype_of(type, function);
  require_addressable(count, element, function);
  return {const_cast<void*>(data), count, element};
}

tutti_envelope envelope_of(const Envelope& envelope) { return {envelope.rank, envelope.tag, envelope.count}; }

void set(tutti_envelope* envelope, const Handle& handle) {
  if (envelope != nullptr) *envelope = envelope_of(handle.envelope());
}

tutti_handle new_handle(Handle&& handle) { return new tutti_handle_object{std::move(handle)}; }

/// Frees a handle that is done or has failed.
void drop(tutti_handle* handle) { delete std::exchange(*handle, nullptr); }

}  // namespace
}  // namespace tutti::c_interface

using namespace tutti::c_interface;

tutti_status tutti_call(tutti_communicator communicator, const tutti_call_arguments* arguments) {
  return guarded([&] {
    tutti::Communicator& comm = communicator_of(communicator, "tutti_call");
    comm.run(BoundArguments(comm, arguments).call());
  });
}

tutti_status tutti_start(tutti_communicator communicator, const tutti_call_arguments* arguments, tutti_handle* handle) {
  return guarded([&] {
    tutti::Communicator& comm = communicator_of(communicator, "tutti_start");
    require_pointer(handle, "tutti_start", "the pointer to the handle");
    *handle = new_handle(comm.start(BoundArguments(comm, arguments).call()));
  });
}

tutti_status tutti_wait(tutti_handle* handle, tutti_envelope* envelope) {
  const tutti_status status = guarded([&] {
    require_pointer(handle, "tutti_wait", "the pointer to the handle");
    if (*handle == nullptr) return;
    (*handle)->handle.wait();
    set(envelope, (*handle)->handle);
  });
  if (handle != nullptr) drop(handle);
  return status;
}

tutti_status tutti_test(tutti_handle* handle, int32_t* done, tutti_envelope* envelope) {
  bool is_over = true;
  const tutti_status status = guarded([&] {
    require_pointer(handle, "tutti_test", "the pointer to the handle");
    require_pointer(done, "tutti_test", "the pointer to done");
    is_over = *handle == nullptr || (*handle)->handle.test();
    if (is_over && *handle != nullptr) set(envelope, (*handle)->handle);
  });
  if (done == nullptr || handle == nullptr) return status;
  *done = is_over ? 1 : 0;
  if (is_over) drop(handle);
  return status;
}

tutti_status tutti_wait_all(tutti_communicator communicator) {
  return guarded([&] { communicator_of(communicator, "tutti_wait_all").wait_all(); });
}

tutti_status tutti_plan_create(tutti_communicator communicator, const tutti_call_arguments* arguments,
                               tutti_plan* plan) {
  return guarded([&] {
    tutti::Communicator& comm = communicator_of(communicator, "tutti_plan_create");
    require_pointer(plan, "tutti_plan_create", "the pointer to the plan");
    *plan = new tutti_plan_object{comm.plan(BoundArguments(comm, arguments).call())};
  });
}

tutti_status tutti_plan_start(tutti_plan plan) {
  return guarded([&] {
    require_pointer(plan, "tutti_plan_start", "the plan");
    plan->plan.start();
  });
}

tutti_status tutti_plan_wait(tutti_plan plan) {
  return guarded([&] {
    require_pointer(plan, "tutti_plan_wait", "the plan");
    plan->plan.wait();
  });
}

tutti_status tutti_plan_test(tutti_plan plan, int32_t* done) {
  return guarded([&] {
    require_pointer(plan, "tutti_plan_test", "the plan");
    require_pointer(done, "tutti_plan_test", "the pointer to done");
    *done = 1;  // unless it says otherwise: what has failed is over
    *done = plan->plan.test() ? 1 : 0;
  });
}

tutti_status tutti_plan_free(tutti_plan* plan) {
  return guarded([&] {
    require_pointer(plan, "tutti_plan_free", "the pointer to the plan");
    delete std::exchange(*plan, nullptr);
  });
}

tutti_status tutti_send(tutti_communicator communicator, const void* data, int64_t count, tutti_type type, int32_t to,
                        int32_t tag) {
  return guarded([&] {
    tutti::Communicator& comm = communicator_of(communicator, "tutti_send");
    comm.start_send(parcel_of(data, count, type, "send"), to, {.tag = tag}).wait();
  });
}

tutti_status tutti_send_start(tutti_communicator communicator, const void* data, int64_t count, tutti_type type,
                              int32_t to, int32_t tag, tutti_handle* handle) {
  return guarded([&] {
    tutti::Communicator& comm = communicator_of(communicator, "tutti_send_start");
    require_pointer(handle, "tutti_send_start", "the pointer to the handle");
    *handle = new_handle(comm.start_send(parcel_of(data, count, type, "send"), to, {.tag = tag}));
  });
}

tutti_status tutti_receive(tutti_communicator communicator, void* data, int64_t count, tutti_type type, int32_t from,
                           int32_t tag, tutti_envelope* envelope) {
  return guarded([&] {
    tutti::Communicator& comm = communicator_of(communicator, "tutti_receive");
    tutti::Handle receiving = comm.start_receive(parcel_of(data, count, type, "receive"), from, {.tag = tag});
    receiving.wait();
    set(envelope, receiving);
  });
}

tutti_status tutti_receive_start(tutti_communicator communicator, void* data, int64_t count, tutti_type type,
                                 int32_t from, int32_t tag, tutti_handle* handle) {
  return guarded([&] {
    tutti::Communicator& comm = communicator_of(communicator, "tutti_receive_start");
    require_pointer(handle, "tutti_receive_start", "the pointer to the handle");
    *handle = new_handle(comm.start_receive(parcel_of(data, count, type, "receive"), from, {.tag = tag}));
  });
}

tutti_status tutti_send_receive(tutti_communicator communicator, const void* sent, int64_t sent_count, int32_t to,
                                void* received, int64_t received_count, int32_t from, tutti_type type, int32_t tag) {
  return guarded([&] {
    tutti::Communicator& comm = communicator_of(communicator, "tutti_send_receive");
    const auto out = parcel_of(sent, sent_count, type, "send_receive");
    const auto in = parcel_of(received, received_count, type, "send_receive");
    comm.start_send_receive(out, to, in, from, {.tag = tag}).wait();
  });
}

tutti_status tutti_probe(tutti_communicator communicator, int32_t from, int32_t tag, tutti_envelope* envelope) {
  return guarded([&] {
    tutti::Communicator& comm = communicator_of(communicator, "tutti_probe");
    require_pointer(envelope, "tutti_probe", "the pointer to the envelope");
    *envelope = envelope_of(comm.probe(from, {.tag = tag}));
  });
}

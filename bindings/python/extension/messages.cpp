#include "bindings/python/extension/messages.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings/python/extension/errors.hpp"
#include "bindings/python/extension/operations.hpp"

namespace tutti::python {
namespace {

/// Elements of a message, bound on the heap, because they last as long as the operation.
std::unique_ptr<Elements> message(const char* call, py::handle object, Access access) {
  auto elements = std::make_unique<Elements>();
  elements->bind(call, object.ptr(), access, false);
  if (access == Access::write && elements->is_number())
    refuse(fmt::format("{} writes into an array, and this is a number", call));
  return elements;
}

untyped::Parcel parcel_of(const Elements& elements) { return {elements.data(), elements.count(), elements.type()}; }

template <typename Start>
AsyncOperation started(const py::object& self, const char* call, std::vector<std::unique_ptr<Elements>> elements,
                       bool is_receive, const Start& start) {
  auto& rank = self.cast<Rank&>();
  rank.require_own_thread(call);
  sweep_dropped();
  Handle handle;
  {
    const WithoutInterpreter free;
    handle = start(rank.communicator());
  }
  OperationMemory memory;
  memory.elements = std::move(elements);
  memory.is_receive = is_receive;
  return {self, std::move(memory), std::move(handle)};
}

AsyncOperation send_async(const py::object& self, const py::object& a, int to, int tag) {
  std::vector<std::unique_ptr<Elements>> elements;
  elements.push_back(message("send", a, Access::read));
  const untyped::Parcel parcel = parcel_of(*elements.front());
  return started(self, "send", std::move(elements), false,
                 [&](Communicator& comm) { return comm.start_send(parcel, to, {.tag = tag}); });
}

AsyncOperation receive_async(const py::object& self, const py::object& out, int from, int tag) {
  std::vector<std::unique_ptr<Elements>> elements;
  elements.push_back(message("receive", out, Access::write));
  const untyped::Parcel parcel = parcel_of(*elements.front());
  return started(self, "receive", std::move(elements), true,
                 [&](Communicator& comm) { return comm.start_receive(parcel, from, {.tag = tag}); });
}

AsyncOperation send_receive_async(const py::object& self, const py::object& a, int to, const py::object& out, int from,
                                  int tag) {
  std::vector<std::unique_ptr<Elements>> elements;
  elements.push_back(message("send_receive", a, Access::read));
  elements.push_back(message("send_receive", out, Access::write));
  const untyped::Parcel sent = parcel_of(*elements.front());
  const untyped::Parcel received = parcel_of(*elements.back());
  return started(self, "send_receive", std::move(elements), false,
                 [&](Communicator& comm) { return comm.start_send_receive(sent, to, received, from, {.tag = tag}); });
}

}  // namespace

void add_messages(py::class_<Rank>& type) {
  type.def("send_async", send_async, py::arg("a"), py::arg("to"), py::arg("tag") = 0,
           "Begins to send, and returns a Handle at once.")
      .def("receive_async", receive_async, py::arg("out"), py::arg("source") = any_rank, py::arg("tag") = 0,
           "Begins to receive into out, and returns a Handle at once.")
      .def("send_receive_async", send_receive_async, py::arg("a"), py::arg("to"), py::arg("out"), py::arg("source"),
           py::arg("tag") = 0, "Begins both, and returns one Handle.")
      .def(
          "send",
          [](const py::object& self, const py::object& a, int to, int tag) { send_async(self, a, to, tag).wait(); },
          py::arg("a"), py::arg("to"), py::arg("tag") = 0,
          "Returns when rank `to` has received a: there is no buffering. Cost: ts + tw m b.")
      .def(
          "receive",
          [](const py::object& self, const py::object& out, int source, int tag) {
            return receive_async(self, out, source, tag).wait();
          },
          py::arg("out"), py::arg("source") = any_rank, py::arg("tag") = 0,
          "Returns when out holds what rank `source` has sent, which must be as many elements of the same dtype; who "
          "has sent it, as an Envelope.")
      .def(
          "send_receive",
          [](const py::object& self, const py::object& a, int to, const py::object& out, int source, int tag) {
            send_receive_async(self, a, to, out, source, tag).wait();
            return out;
          },
          py::arg("a"), py::arg("to"), py::arg("out"), py::arg("source"), py::arg("tag") = 0,
          "Sends a and receives out, both under way together; returns out.")
      .def(
          "probe",
          [](Rank& self, int source, int tag) {
            self.require_own_thread("probe");
            const WithoutInterpreter free;
            return self.communicator().probe(source, {.tag = tag});
          },
          py::arg("source") = any_rank, py::arg("tag") = any_tag,
          "Returns when a message has come that such a receive would take, and leaves it there: its Envelope.")
      .def(
          "test_probe",
          [](Rank& self, int source, int tag) {
            self.require_own_thread("test_probe");
            const WithoutInterpreter free;
            return self.communicator().test_probe(source, {.tag = tag});
          },
          py::arg("source") = any_rank, py::arg("tag") = any_tag,
          "Probes without waiting: None if nothing has come yet.");
}

}  // namespace tutti::python

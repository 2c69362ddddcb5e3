#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bindings/python/extension/errors.hpp"
#include "bindings/python/extension/messages.hpp"
#include "bindings/python/extension/operations.hpp"
#include "bindings/python/extension/rank.hpp"

namespace tutti::python {
namespace {

std::vector<std::unique_ptr<Dropped>>& dropped() {
  static auto& all =
      *new std::vector<std::unique_ptr<Dropped>>;  // operations that are under way at the end keep their memory
  return all;
}

Duration duration_of(const std::optional<double>& seconds) { return seconds ? Duration(*seconds) : no_timeout; }

std::optional<double> seconds_of(Duration duration) {
  return duration == no_timeout ? std::nullopt : std::optional(duration.count());
}

std::string_view name_of(Planning planning) {
  switch (planning) {
    case Planning::measure:
      return "measure";
    case Planning::patient:
      return "patient";
    default:
      return "estimate";
  }
}

Planning planning_of(const std::string& name) {
  for (const Planning planning : {Planning::estimate, Planning::measure, Planning::patient}) {
    if (name == name_of(planning)) return planning;
  }
  refuse(fmt::format("planning is 'estimate', 'measure' or 'patient', not '{}'", name));
}

/// Waits for all of these; what each of them returns.
py::list wait_for(const py::args& handles) {
  py::list results;
  for (const py::handle handle : handles) results.append(handle.attr("wait")());
  return results;
}

template <int (Rank::*number)() const>
PyObject* number_of(PyObject* self, void* /*closure*/) {
  return guarded([&] { return PyLong_FromLong((rank_of(self).*number)()); });
}

/// Adds the properties that programs read in every loop, as C functions: pybind11's take five times as long.
void add_numbers(py::class_<Rank>& type) {
  // Lasts as long as the class.
  static std::array<PyGetSetDef, 2> numbers = {
      {{"rank", number_of<&Rank::rank>, nullptr, "This rank's number, in [0, size).", nullptr},
       {"size", number_of<&Rank::size>, nullptr, "The number of ranks.", nullptr}}};
  for (PyGetSetDef& number : numbers) {
    const auto descriptor =
        py::reinterpret_steal<py::object>(PyDescr_NewGetSet(reinterpret_cast<PyTypeObject*>(type.ptr()), &number));
    if (!descriptor) throw py::error_already_set();
    py::setattr(type, number.name, descriptor);
  }
}

void add_groups(py::class_<Rank>& type) {
  type.def(
          "split",
          [](Rank& self, int color, int key) {
            self.require_own_thread("split");
            std::optional<Communicator> part;
            {
              const WithoutInterpreter free;
              part = self.communicator().split(color, key);
            }
            return part ? std::optional(self.with(std::move(*part))) : std::nullopt;
          },
          py::arg("color"), py::arg("key") = 0,
          "Parts the ranks by color, and numbers those of one color by key; None for a negative color. Collective.")
      .def(
          "duplicate",
          [](Rank& self) {
            self.require_own_thread("duplicate");
            std::optional<Communicator> made;
            {
              const WithoutInterpreter free;
              made = self.communicator().duplicate();
            }
            return self.with(std::move(*made));
          },
          "A communicator of its own for the same ranks. Collective.")
      .def(
          "split_by_node",
          [](Rank& self) {
            self.require_own_thread("split_by_node");
            std::optional<Communicator> made;
            {
              const WithoutInterpreter free;
              made = self.communicator().split_by_node();
            }
            return self.with(std::move(*made));
          },
          "The ranks on this rank's machine, in their order. Collective.");
}

void add_settings(py::class_<Rank>& type) {
  type.def_property(
          "timeout", [](const Rank& self) { return seconds_of(const_cast<Rank&>(self).communicator().timeout()); },
          [](Rank& self, std::optional<double> seconds) { self.communicator().set_timeout(duration_of(seconds)); },
          "Seconds that a rank waits without progress before the communicator fails; None: as long as the others live.")
      .def_property(
          "planning", [](Rank& self) { return name_of(self.communicator().planning()); },
          [](Rank& self, const std::string& name) { self.communicator().set_planning(planning_of(name)); },
          "'estimate', 'measure' or 'patient': how algorithms are found; alike on all ranks.")
      .def(
          "algorithm_of",
          [](Rank& self, const std::string& collective, std::int64_t count, std::size_t element_size) {
            return self.communicator().algorithm_of(collective_named(collective), count, element_size);
          },
          py::arg("collective"), py::arg("count"), py::arg("element_size") = 8,
          "The algorithm that a call of `count` elements would use. Local.")
      .def(
          "predicted_time",
          [](Rank& self, const std::string& collective, std::int64_t count, std::size_t element_size,
             const std::string& algorithm) {
            return self.communicator()
                .predicted_time(collective_named(collective), count, element_size, algorithm)
                .count();
          },
          py::arg("collective"), py::arg("count"), py::arg("element_size") = 8, py::arg("algorithm") = "",
          "Seconds that such a call is predicted to take. Local.")
      .def(
          "wait_all",
          [](Rank& self) {
            self.require_own_thread("wait_all");
            const WithoutInterpreter free;
            self.communicator().wait_all();
          },
          "Returns when every operation of this rank is done, and all ranks have come to all of its collectives.")
      .def(
          "leave",
          [](Rank& self) {
            self.require_own_thread("leave");
            if (self.owner() == nullptr)
              refuse("leave() is for what join() returned: tutti.finalize() ends world()'s job");
            const WithoutInterpreter free;
            self.owner()->leave();
          },
          "Ends this rank's part in a world of join(): waits until the others have come to all of its calls.")
      .def(
          "abandon",
          [](Rank& self, const std::string& why) {
            self.require_own_thread("abandon");
            if (self.owner() == nullptr) return abandon(why);
            self.owner()->abandon(why);
          },
          py::arg("why"), "Ends this rank's part as a failure: the others' calls raise PeerFailed with that text.");
}

}  // namespace

Rank::Rank(Communicator made, std::shared_ptr<JoinedWorld> owner)
    : owner_(std::move(owner)),
      communicator_(std::move(made)),
      rank_(communicator_.rank()),
      size_(communicator_.size()),
      thread_(PyThread_get_thread_ident()) {}

void Rank::refuse_thread(const char* call) {
  refuse(
      fmt::format("{} was called on another thread than the communicator's: it belongs to the thread that has made "
                  "it",
                  call));
}

void keep_until_done(std::unique_ptr<Dropped> operation) {
  if (operation->is_of(PyThread_get_thread_ident()) && operation->is_done()) return;
  dropped().push_back(std::move(operation));
}

void sweep_dropped() {
  if (dropped().empty()) return;
  const unsigned long thread = PyThread_get_thread_ident();
  // Operations that a destructor drops in turn go to the end of the list meanwhile.
  std::vector<std::unique_ptr<Dropped>> looked_at = std::exchange(dropped(), {});
  std::erase_if(looked_at, [&](const auto& each) { return each->is_of(thread) && each->is_done(); });
  for (auto& each : looked_at) dropped().push_back(std::move(each));
}

void add_communicator(py::module_& module) {
  py::class_<Envelope>(module, "Envelope", "Sender, tag and number of elements of a message.")
      .def_readonly("rank", &Envelope::rank)
      .def_readonly("tag", &Envelope::tag)
      .def_readonly("count", &Envelope::count)
      .def("__repr__", [](const Envelope& self) {
        return fmt::format("Envelope(rank={}, tag={}, count={})", self.rank, self.tag, self.count);
      });
  py::class_<Rank> type(
      module, "Communicator",
      "A group of ranks that communicate; it belongs to the thread that has made it.\n\nEvery rank "
      "makes the same collectives in the same order, with the same root, counts,\ndtype, operator and "
      "options.");
  add_numbers(type);
  add_groups(type);
  add_settings(type);
  add_messages(type);
  type.def("__repr__", [](const Rank& self) {
    return fmt::format("<tutti.Communicator: rank {} of {}>", self.rank(), self.size());
  });
  add_collectives(module, type);
  module.def("wait", wait_for, "Waits for all of these handles; what each of them returns, as a list.");
}

}  // namespace tutti::python

// Algorithms that are written in Python: what tutti.lab rests on.

#include "tutti/lab.hpp"

#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <variant>

#include "bindings/python/extension/errors.hpp"
#include "bindings/python/extension/lab.hpp"
#include "bindings/python/extension/signatures.hpp"

namespace tutti::python {
namespace {

using SliceOrSlices = std::variant<lab::Slice, lab::Slices>;

lab::Slices slices_of(const SliceOrSlices& given) {
  if (const auto* one = std::get_if<lab::Slice>(&given)) return {*one};
  return std::get<lab::Slices>(given);
}

/// The text as the library calls it: on any of its threads, so that nothing of Python is touched outside. The callable
/// lives as long as the program, as algorithms do.
lab::Text text_of(const py::function& callable) {
  const auto* const lasting = new py::function(callable);
  return [lasting](lab::Rank& me) {
    const WithInterpreter interpreter;
    try {
      (*lasting)(py::cast(&me, py::return_value_policy::reference));
    } catch (py::error_already_set& error) {
      throw PythonException(error);
    }
  };
}

lab::Problem problem_of(int ranks, std::int64_t count, int root, int distance, bool commutative,
                        std::int64_t element_bytes) {
  return {.ranks = ranks,
          .count = count,
          .root = root,
          .distance = distance,
          .commutative = commutative,
          .element_bytes = element_bytes};
}

lab::Machine machine_of(double ts, double tw, double th, double tc, const std::string& switching) {
  lab::Machine machine{.ts = ts, .tw = tw, .th = th, .tc = tc};
  if (switching == "cut-through") {
    machine.switching = lab::Switching::cut_through;
  } else if (switching == "store-and-forward") {
    machine.switching = lab::Switching::store_and_forward;
  } else if (switching != "alpha-beta") {
    refuse("switching is 'alpha-beta', 'cut-through' or 'store-and-forward', not '" + switching + "'");
  }
  return machine;
}

void add_rank(py::module_& module) {
  py::class_<lab::Slice>(module, "Slice", "Consecutive elements of a rank's input, output or scratch memory.")
      .def_readonly("first", &lab::Slice::first)
      .def_readonly("count", &lab::Slice::count)
      .def(
          "__getitem__",
          [](const lab::Slice& self, const py::slice& part) {
            py::ssize_t start = 0;
            py::ssize_t stop = 0;
            py::ssize_t step = 0;
            py::ssize_t length = 0;
            if (!part.compute(self.count, &start, &stop, &step, &length)) throw py::error_already_set();
            if (step != 1) refuse("a slice of a rank's memory is consecutive: its step is 1");
            return lab::Slice{self.buffer, self.first + start, length};
          },
          "A part of it, as of a list.")
      .def("__len__", [](const lab::Slice& self) { return self.count; });
  py::class_<lab::Rank>(module, "Rank", "The rank that runs the text of an algorithm.")
      .def_property_readonly("rank", &lab::Rank::rank)
      .def_property_readonly("size", &lab::Rank::size)
      .def_property_readonly("root", &lab::Rank::root)
      .def_property_readonly("distance", &lab::Rank::distance)
      .def("input", py::overload_cast<>(&lab::Rank::input, py::const_), "All of the rank's input.")
      .def("input", py::overload_cast<int>(&lab::Rank::input, py::const_), py::arg("block"), "A block of it.")
      .def("output", py::overload_cast<>(&lab::Rank::output, py::const_), "All of the rank's output.")
      .def("output", py::overload_cast<int>(&lab::Rank::output, py::const_), py::arg("block"), "A block of it.")
      .def("message", &lab::Rank::message, "The message of a broadcast.")
      .def("scratch", &lab::Rank::scratch, py::arg("first"), py::arg("count"), "Memory beside input and output.")
      .def(
          "send", [](lab::Rank& me, const SliceOrSlices& message, int to) { me.send(slices_of(message), to); },
          py::arg("message"), py::arg("to"))
      .def(
          "receive", [](lab::Rank& me, const SliceOrSlices& into, int source) { me.receive(slices_of(into), source); },
          py::arg("into"), py::arg("source"))
      .def(
          "receive_reduce",
          [](lab::Rank& me, const SliceOrSlices& into, const SliceOrSlices& mine, int source) {
            me.receive_reduce(slices_of(into), slices_of(mine), source);
          },
          py::arg("into"), py::arg("mine"), py::arg("source"), "into = mine op received, in the order of ranks.")
      .def(
          "copy",
          [](lab::Rank& me, const SliceOrSlices& to, const SliceOrSlices& from) {
            me.copy(slices_of(to), slices_of(from));
          },
          py::arg("to"), py::arg("source"))
      .def(
          "reduce",
          [](lab::Rank& me, const SliceOrSlices& into, const SliceOrSlices& left, const SliceOrSlices& right) {
            me.reduce(slices_of(into), slices_of(left), slices_of(right));
          },
          py::arg("into"), py::arg("left"), py::arg("right"), "into = left op right.")
      .def("wait", &lab::Rank::wait, "Waits for everything since the last wait.")
      .def("phase", &lab::Rank::phase, py::arg("name"), "Begins a phase of that name, for drawings and listings.");
}

}  // namespace

void add_lab(py::module_& module) {
  py::module_ part = module.def_submodule("lab", "What tutti.lab rests on.");
  add_rank(part);
  py::class_<lab::Algorithm>(part, "Algorithm")
      .def(py::init([](const std::string& collective, const std::string& name, const py::function& text, bool proves) {
        return lab::Algorithm(collective_named(collective), name, text_of(text),
                              proves ? lab::Proving::before_first_call : lab::Proving::never);
      }));
  py::class_<lab::Problem>(part, "Problem").def(py::init(&problem_of));
  py::class_<lab::Machine>(part, "Machine").def(py::init(&machine_of));
  const py::call_guard<py::gil_scoped_release> free;
  part.def(
      "prove",
      [](const lab::Algorithm& algorithm, const lab::Problem& problem) {
        const lab::Proof proof = lab::prove(algorithm, problem);
        return std::pair(proof.proved, proof.reason);
      },
      free);
  part.def(
      "prove_all",
      [](const lab::Algorithm& algorithm, int first, int last) {
        const lab::Proof proof = lab::prove(algorithm, first, last);
        return std::pair(proof.proved, proof.reason);
      },
      free);
  part.def(
      "simulate",
      [](const lab::Algorithm& algorithm, const lab::Problem& problem, const std::string& topology,
         const lab::Machine& machine) {
        const lab::Times times = lab::simulate(algorithm, problem, topology, machine);
        return std::tuple(times.seconds, times.bound_seconds, times.rounds, times.messages, times.bytes,
                          times.most_shared);
      },
      free);
  part.def(
      "price",
      [](const lab::Algorithm& algorithm, const lab::Problem& problem, const std::string& topology,
         const lab::Machine& machine) {
        std::vector<std::pair<std::string, double>> prices;
        for (const lab::Price& price : lab::price(algorithm, problem, topology, machine))
          prices.emplace_back(price.algorithm, price.seconds);
        return prices;
      },
      free);
  part.def("draw", &lab::draw, free);
  part.def("draw_page", &lab::draw_page, free);
  part.def("listing", &lab::listing, free);
}

}  // namespace tutti::python

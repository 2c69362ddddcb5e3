// The module tutti._tutti.

#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <vector>

#include "bindings/python/extension/errors.hpp"
#include "bindings/python/extension/lab.hpp"
#include "bindings/python/extension/memory.hpp"
#include "bindings/python/extension/operators.hpp"
#include "bindings/python/extension/rank.hpp"
#include "tutti/world.hpp"

namespace tutti::python {
namespace {

RunOptions options_of(const std::optional<double>& timeout, bool progress_thread) {
  RunOptions options;
  if (timeout) options.timeout = Duration(*timeout);
  options.progress_thread = progress_thread;
  return options;
}

py::object world_of_job(const std::optional<double>& timeout, bool progress_thread) {
  static py::object& joined = *new py::object;  // outlives the interpreter, as the job does
  if (!joined) {
    Communicator* whole = nullptr;
    {
      const WithoutInterpreter free;
      whole = &world(options_of(timeout, progress_thread));
    }
    joined = py::cast(Rank(*whole, nullptr));
    allocate_from(*whole);
  }
  return joined;
}

Rank join_world(int rank, int size, const py::function& exchange, const std::optional<double>& timeout,
                bool progress_thread) {
  const auto told_by_all = [&](const std::string& mine) {
    std::vector<std::string> told;
    for (const py::handle text : exchange(py::bytes(mine))) told.push_back(text.cast<std::string>());
    return told;
  };
  auto owner = std::make_shared<JoinedWorld>(join(rank, size, told_by_all, options_of(timeout, progress_thread)));
  allocate_from(owner->communicator());
  return {owner->communicator(), owner};
}

}  // namespace

void add_worlds(py::module_& module) {
  module.def("world", world_of_job, py::arg("timeout") = py::none(), py::arg("progress_thread") = false);
  module.def("join", join_world, py::arg("rank"), py::arg("size"), py::arg("exchange"), py::arg("timeout") = py::none(),
             py::arg("progress_thread") = false);
  module.def(
      "finalize",
      [] {
        const WithoutInterpreter free;
        finalize();
      },
      "Ends the job of world() before the program does: waits until the other ranks have come to all calls of this "
      "one.\n\nRaises what is found only now. Every later call is an InvalidArgument.");
  module.def(
      "abandon", [](const std::string& why) { abandon(why); }, py::arg("why"),
      "Ends this rank's part in world()'s job as a failure: the others' calls raise PeerFailed with that text.");
}

}  // namespace tutti::python

PYBIND11_MODULE(_tutti, module) {
  using namespace tutti::python;
  module.doc() = "tutti's library for Python; import tutti instead.";
  py::register_exception_translator([](std::exception_ptr exception) {
    try {
      if (exception) std::rethrow_exception(exception);
    } catch (const tutti::Error&) {
      set_exception();
    } catch (const PythonException&) {
      set_exception();
    }
  });
  add_errors(module);
  add_memory(module);
  add_operators(module);
  add_communicator(module);
  add_worlds(module);
  add_lab(module);
  for (const char* const name : {"Block", "Communicator", "Envelope", "Handle", "Operator", "Plan"})
    forbid_new(module.attr(name));
  module.attr("any_rank") = tutti::any_rank;
  module.attr("any_tag") = tutti::any_tag;
}

// The module tutti._command: the tutti command in process, on which tutti.analysis rests.

#include "bindings/python/extension/python.hpp"

#include <pybind11/stl.h>

#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/commands/answer.hpp"
#include "tutti/error.hpp"
#include "tutti/version.h"

namespace tutti::python {
namespace {

const char* class_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return "InvalidArgument";
    case ErrorCode::unsupported:
      return "Unsupported";
    case ErrorCode::mismatch:
      return "Mismatch";
    case ErrorCode::timeout:
      return "Timeout";
    case ErrorCode::peer_failed:
      return "PeerFailed";
    case ErrorCode::internal:
      return "InternalError";
  }
  return "Error";
}

[[noreturn]] void raise(const py::handle& type, const std::exception& error) {
  PyErr_SetString(type.ptr(), app::error_line(error).c_str());
  throw py::error_already_set();
}

/// Calls the function without the interpreter. Its exceptions become those of Python here and not by a translator:
/// translators hold for all modules of the process.
template <typename Function>
auto computed(const Function& function) {
  const auto own_class = [](const char* name) { return py::module_::import("tutti._tutti").attr(name); };
  try {
    const WithoutInterpreter free;
    return function();
  } catch (const Error& error) {
    raise(own_class(class_name(error.code())), error);
  } catch (const std::bad_alloc& error) {
    raise(PyExc_MemoryError, error);
  } catch (const std::exception& error) {
    raise(own_class("Error"), error);
  }
}

py::tuple answer(const std::vector<std::string>& words) {
  const app::Outcome outcome = computed([&] {
    app::Outcome found = app::answer(words, "tutti " TUTTI_VERSION);
    if (found.rest) found.rest([&](std::string_view part) { found.text += part; });
    return found;
  });
  return py::make_tuple(outcome.status, outcome.text, outcome.notes, outcome.remarks);
}

std::vector<std::pair<std::string, std::string>> options(const std::string& command) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const app::OptionDescription& option : computed([&] { return app::options_of(command); }))
    pairs.emplace_back(option.name, option.type);
  return pairs;
}

}  // namespace
}  // namespace tutti::python

PYBIND11_MODULE(_command, module) {
  using namespace tutti::python;
  module.doc() = "The tutti command in process; import tutti.analysis instead.";
  module.def("answer", answer, py::arg("words"),
             "Exit status, text, notes and remarks of the command with these words. Other threads run meanwhile.");
  module.def("options", options, py::arg("command"),
             "Names of a subcommand's options, such as '--ranks', each with the type of its value; a flag has ''.");
}

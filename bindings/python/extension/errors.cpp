#include "bindings/python/extension/errors.hpp"

#include <array>
#include <new>

#include "tutti/join.hpp"

namespace tutti::python {
namespace {

struct Kind {
  const char* name;
  ErrorCode code;
  const char* code_name;
  const char* documentation;
};

constexpr std::array kinds = {
    Kind{"InvalidArgument", ErrorCode::invalid_argument, "invalid_argument",
         "A value that no call accepts: a negative count, a root outside the communicator. Also a ValueError."},
    Kind{"Unsupported", ErrorCode::unsupported, "unsupported",
         "A valid request that this algorithm, type or operator cannot serve."},
    Kind{"Mismatch", ErrorCode::mismatch, "mismatch",
         "Ranks entered a collective, or met in a message, with different arguments; the same on every rank."},
    Kind{"Timeout", ErrorCode::timeout, "timeout",
         "A rank waited longer than the timeout, or ranks wait for one another for ever. Also a TimeoutError."},
    Kind{"PeerFailed", ErrorCode::peer_failed, "peer_failed",
         "Another rank ended, with or without an error, while this one still needed it."},
    Kind{"InternalError", ErrorCode::internal, "internal", "tutti broke its own rule: a defect worth reporting."},
};

PyObject* error_class = nullptr;
std::array<PyObject*, kinds.size()> classes = {};

// An exception that a signal handler has raised in the midst of a wait: it takes the place of the wait's own error.
PyObject* raised_type = nullptr;
PyObject* raised_value = nullptr;
PyObject* raised_traceback = nullptr;

PyObject* builtin_base(ErrorCode code) {
  if (code == ErrorCode::invalid_argument) return PyExc_ValueError;
  if (code == ErrorCode::timeout) return PyExc_TimeoutError;
  return nullptr;
}

PyObject* class_of(ErrorCode code) {
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (kinds[k].code == code) return classes[k];
  }
  return error_class;
}

// Called by a wait that lasts, on the thread that waits and without the interpreter. Other threads than the main one
// have no signals to look at.
std::string look_at_signals() {
  if (Py_IsInitialized() == 0) return {};
  const WithInterpreter interpreter;
  if (PyErr_CheckSignals() == 0) return {};
  std::string text = text_of_exception();
  PyErr_Fetch(&raised_type, &raised_value, &raised_traceback);
  return text;
}

bool restore_raised() {
  if (raised_type == nullptr) return false;
  PyErr_Restore(std::exchange(raised_type, nullptr), std::exchange(raised_value, nullptr),
                std::exchange(raised_traceback, nullptr));
  return true;
}

}  // namespace

void add_errors(py::module_& module) {
  error_class = PyErr_NewExceptionWithDoc("tutti.Error",
                                          "Bad input, a mismatched call or a lost rank: one sentence that names the "
                                          "value and the remedy. `code` names the kind.",
                                          PyExc_RuntimeError, nullptr);
  module.add_object("Error", error_class);
  py::setattr(error_class, "code", py::none());
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    PyObject* const base = builtin_base(kinds[k].code);
    const py::tuple bases = base == nullptr ? py::make_tuple(py::handle(error_class))
                                            : py::make_tuple(py::handle(error_class), py::handle(base));
    const std::string name = std::string("tutti.") + kinds[k].name;
    classes[k] = PyErr_NewExceptionWithDoc(name.c_str(), kinds[k].documentation, bases.ptr(), nullptr);
    if (classes[k] == nullptr) throw py::error_already_set();
    py::setattr(classes[k], "code", py::str(kinds[k].code_name));
    module.add_object(kinds[k].name, classes[k]);
  }
  interrupt_waits_by(look_at_signals);
}

void set_exception() noexcept {
  try {
    throw;
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const PythonException& exception) {
    exception.restore();
  } catch (const Error& error) {
    if (!restore_raised()) PyErr_SetString(class_of(error.code()), error.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "an exception that is no std::exception");
  }
}

// Restored for its text, and fetched again.
PythonException::PythonException(py::error_already_set& error) {
  error.restore();
  text_ = text_of_exception();
  error_ = std::make_shared<py::error_already_set>();
}

void refuse(const std::string& text) { throw Error(ErrorCode::invalid_argument, text); }

std::string text_of_exception() {
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  std::string text = type == nullptr ? "an exception" : reinterpret_cast<PyTypeObject*>(type)->tp_name;
  if (PyObject* const described = value == nullptr ? nullptr : PyObject_Str(value); described != nullptr) {
    const char* const words = PyUnicode_AsUTF8(described);
    if (words != nullptr && *words != '\0') text += std::string(": ") + words;
    Py_DECREF(described);
  }
  PyErr_Clear();
  PyErr_Restore(type, value, traceback);
  return text;
}

}  // namespace tutti::python

/// @file
/// Errors of tutti as exceptions of Python, and signals of Python as the end of a wait.
#pragma once

#include <exception>
#include <memory>
#include <string>

#include "bindings/python/extension/python.hpp"
#include "tutti/error.hpp"

namespace tutti::python {

/// Adds Error and its subclasses to the module, and has every wait look at Python's signals.
void add_errors(py::module_& module);

/// Sets the exception that is in flight in C++ as Python's. To be called in a catch block, with the interpreter.
void set_exception() noexcept;

/// Throws `Error(invalid_argument)`, which Python sees as InvalidArgument.
[[noreturn]] void refuse(const std::string& text);

/// "ValueError: no such row", of an exception that Python has set; it stays set.
std::string text_of_exception();

/// An exception of Python's that passes through the library: other ranks are told its text, and Python gets itself back.
class PythonException : public std::exception {
 public:
  explicit PythonException(py::error_already_set& error);
  const char* what() const noexcept override { return text_.c_str(); }
  void restore() const { error_->restore(); }

 private:
  std::string text_;
  std::shared_ptr<py::error_already_set> error_;
};

/// Calls the function; what it throws becomes Python's exception, and the result null.
template <typename Function>
PyObject* guarded(const Function& function) noexcept {
  try {
    return function();
  } catch (...) {
    set_exception();
    return nullptr;
  }
}

}  // namespace tutti::python

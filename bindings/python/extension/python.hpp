/// @file
/// CPython and pybind11, for the files of the extension.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <pybind11/pybind11.h>

#include <utility>

namespace tutti::python {

namespace py = pybind11;

/// Lets other Python threads run while it lives. Nothing of Python may be touched meanwhile.
class WithoutInterpreter {
 public:
  WithoutInterpreter() : state_(PyEval_SaveThread()) {}
  WithoutInterpreter(const WithoutInterpreter&) = delete;
  WithoutInterpreter& operator=(const WithoutInterpreter&) = delete;
  ~WithoutInterpreter() { PyEval_RestoreThread(state_); }

 private:
  PyThreadState* state_;
};

/// Has the interpreter while it lives, also on a thread that it has not made.
class WithInterpreter {
 public:
  WithInterpreter() : state_(PyGILState_Ensure()) {}
  WithInterpreter(const WithInterpreter&) = delete;
  WithInterpreter& operator=(const WithInterpreter&) = delete;
  ~WithInterpreter() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

/// The value of an object of exactly pybind11's class of T, found without a look-up of types.
template <typename T>
T& value_of(PyObject* object) {
  return *static_cast<T*>(reinterpret_cast<py::detail::instance*>(object)->get_value_and_holder().value_ptr());
}

/// Makes T.__new__() a TypeError: an object of pybind11's that no function of this module has made holds no value, and
/// its methods would read memory that is none.
inline void forbid_new(const py::object& type) { reinterpret_cast<PyTypeObject*>(type.ptr())->tp_new = nullptr; }

}  // namespace tutti::python

/// @file
/// Algorithms that are written in Python.
#pragma once

#include "bindings/python/extension/python.hpp"

namespace tutti::python {

/// Adds the submodule lab, on which tutti.lab rests.
void add_lab(py::module_& module);

}  // namespace tutti::python

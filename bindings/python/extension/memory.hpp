/// @file
/// Arrays in memory that ranks share.
#pragma once

#include "bindings/python/extension/python.hpp"
#include "tutti/communicator.hpp"

namespace tutti::python {

/// From here on new arrays lie in memory of that communicator's world.
void allocate_from(const Communicator& communicator);

/// A new array of NumPy of that shape and dtype, not zeroed; from 4 KiB on in memory that the ranks of the latest world
/// reach in place. Blocks that Python drops are kept for the next ones, up to 256 MiB or what is in use.
py::object new_array(const py::object& shape, const py::object& dtype);

/// Adds empty(), and the blocks of which arrays are made.
void add_memory(py::module_& module);

}  // namespace tutti::python

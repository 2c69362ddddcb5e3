/// @file
/// Messages between two ranks, as methods of Communicator.
#pragma once

#include "bindings/python/extension/rank.hpp"

namespace tutti::python {

/// Adds them to the class of Communicator.
void add_messages(py::class_<Rank>& type);

}  // namespace tutti::python

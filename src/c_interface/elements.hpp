/// @file
/// Element types and operators of the C interface, as the library has them.
#pragma once

#include <string_view>

#include "tutti/c_types.h"
#include "tutti/untyped.hpp"

namespace tutti::c_interface {

/// Throws `Error(invalid_argument)` for a number that is no type; `function` begins the sentence.
const untyped::Datatype& datatype_of(tutti_type type, std::string_view function);

/// The operator on elements of a type. Throws `Error(invalid_argument)` for a number that is no operator, and
/// `Error(unsupported)` for one that does not apply to the type.
untyped::Operator operator_of(const tutti_call_arguments& arguments, std::string_view function);

}  // namespace tutti::c_interface

/// @file
/// Element types and operators of the C interface, as the library has them.
#pragma once

#include <cstdint>
#include <string_view>

#include "tutti/c_types.h"
#include "tutti/untyped.hpp"

namespace tutti::c_interface {

/// Throws `Error(invalid_argument)` for a number that is no type; `function` begins the sentence.
const untyped::Datatype& datatype_of(tutti_type type, std::string_view function);

/// Most bytes of a buffer: more than a process has addresses for.
inline constexpr std::int64_t most_bytes = std::int64_t{1} << 57;

/// Throws `Error(invalid_argument)` where so many elements of the type are more than `most_bytes`: their bytes might
/// wrap around to a size that passes for a small one. What negative counts mean is for others to say.
void require_addressable(std::int64_t count, const untyped::Datatype& type, std::string_view function);

/// The operator on elements of a type. Throws `Error(invalid_argument)` for a number that is no operator, and
/// `Error(unsupported)` for one that does not apply to the type.
untyped::Operator operator_of(const tutti_call_arguments& arguments, std::string_view function);

}  // namespace tutti::c_interface

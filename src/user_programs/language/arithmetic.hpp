/// @file
/// Operators of a program on numbers. An operator of one number takes it on the left.
#pragma once

#include <cstdint>
#include <string_view>

#include "user_programs/language/code.hpp"

namespace tutti::language {

/// Returns what is lacking where the operator gives no number of these, as the begin of a sentence: "no root comes";
/// empty where it does.
std::string_view lack_of(Operator operation, std::int64_t left, std::int64_t right);

/// Returns the number that the operator gives, or 1 for what is true and 0 for what is not. Needs that nothing is
/// lacking. Of `and` and `or` the left side is known not to decide.
std::int64_t number_by(Operator operation, std::int64_t left, std::int64_t right);

}  // namespace tutti::language

/// @file
/// A collective call of one rank, checked and made ready to run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/member.hpp"
#include "runtime/signature.hpp"
#include "tutti/detail/call.hpp"

namespace tutti::runtime {

struct Invocation {
  Problem problem;
  std::string algorithm;  ///< as asked for; may be empty
  detail::Datatype type;
  detail::Operator op;
  Bindings bindings;  ///< scratch is bound when the operation runs
  Signature signature;
  /// All-to-all by counts: what this rank sends to each, then what it receives from each. They travel first; without
  /// them there is no recipe.
  std::vector<std::int64_t> own_counts;
  std::shared_ptr<const Recipe> recipe;  ///< null where there is nothing to run (yet)
};

/// Checks all that this rank can see by itself. Throws `Error(invalid_argument)` or `Error(unsupported)`.
Invocation invocation_of(const detail::Call& call, Member& member);
/// A call that only brings the ranks together: split, duplicate.
Invocation meeting(Purpose purpose, std::int64_t color, std::int64_t key);

}  // namespace tutti::runtime

/// @file
/// Arguments of a C call as an untyped call.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tutti/c_types.h"
#include "tutti/communicator.hpp"
#include "tutti/untyped.hpp"

namespace tutti::c_interface {

/// An untyped call with the options that it points to. Throws `Error(invalid_argument)` for a number that is no
/// collective, type or operator, for a buffer that is NULL and needed, and for arguments of another header.
class BoundArguments {
 public:
  BoundArguments(const Communicator& communicator, const tutti_call_arguments* given);
  BoundArguments(const BoundArguments&) = delete;
  BoundArguments& operator=(const BoundArguments&) = delete;

  const untyped::Call& call() const { return call_; }

 private:
  void bind_options();
  void bind_counts(int ranks);
  void bind_sizes(int ranks, int rank);
  void bind_sizes_by_counts(int ranks, int rank);
  void require_buffers() const;
  std::int64_t blocks(int ranks) const;
  std::int64_t size_of(std::span<const std::int64_t> counts, std::span<const std::int64_t> displacements) const;

  tutti_call_arguments arguments_;
  std::string_view name_;
  CollectiveOptions options_;
  untyped::Call call_;
};

}  // namespace tutti::c_interface

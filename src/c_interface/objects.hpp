/// @file
/// Objects behind the handles of the C interface.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "tutti/c_types.h"
#include "tutti/communicator.hpp"
#include "tutti/handle.hpp"
#include "tutti/join.hpp"
#include "tutti/plan.hpp"

/// A communicator: the world's or a thread's, which somebody else owns, one of its own, or that of a joined world.
struct tutti_communicator_object {
  explicit tutti_communicator_object(tutti::Communicator& others) : communicator(&others) {}
  explicit tutti_communicator_object(tutti::Communicator&& part) : own(std::move(part)), communicator(&*own) {}
  explicit tutti_communicator_object(tutti::JoinedWorld&& world)
      : joined(std::move(world)), communicator(&joined->communicator()) {}
  tutti_communicator_object(const tutti_communicator_object&) = delete;
  tutti_communicator_object& operator=(const tutti_communicator_object&) = delete;

  std::optional<tutti::JoinedWorld> joined;
  std::optional<tutti::Communicator> own;
  tutti::Communicator* communicator;
};

struct tutti_handle_object {
  tutti::Handle handle;
};

struct tutti_plan_object {
  tutti::Plan plan;
};

namespace tutti::c_interface {

/// Throws `Error(invalid_argument)` for NULL.
Communicator& communicator_of(tutti_communicator communicator, std::string_view function);

}  // namespace tutti::c_interface

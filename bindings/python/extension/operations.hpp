/// @file
/// Collectives, blocking, asynchronous and planned, as methods of Communicator.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "bindings/python/extension/bound_call.hpp"
#include "bindings/python/extension/elements.hpp"
#include "bindings/python/extension/rank.hpp"
#include "tutti/handle.hpp"
#include "tutti/plan.hpp"

namespace tutti::python {

/// Memory of an operation under way: of a collective, or of messages.
struct OperationMemory {
  std::unique_ptr<BoundCall> call;
  std::vector<std::unique_ptr<Elements>> elements;
  bool is_receive = false;
};

/// An operation under way, as Python holds it.
class AsyncOperation {
 public:
  AsyncOperation(py::object communicator, OperationMemory memory, Handle handle);
  AsyncOperation(AsyncOperation&&) noexcept = default;
  ~AsyncOperation();

  py::object wait();
  bool test();
  std::string algorithm() const { return std::string(handle_->algorithm()); }
  Handle& handle() { return *handle_; }
  py::object result() const;

 private:
  py::object communicator_;
  std::unique_ptr<OperationMemory> memory_;
  std::unique_ptr<Handle> handle_;
};

/// A collective that is prepared once and run often, as Python holds it.
class PlannedCall {
 public:
  PlannedCall(py::object communicator, std::unique_ptr<BoundCall> call, Plan plan);
  PlannedCall(PlannedCall&&) noexcept = default;
  ~PlannedCall();

  void start();
  py::object wait();
  bool test();
  py::object run();
  std::string algorithm() const { return std::string(plan_->algorithm()); }
  std::string explanation() const { return plan_->explanation(); }
  py::object output() const { return call_->result(); }

 private:
  Rank& rank() const;

  py::object communicator_;
  std::unique_ptr<BoundCall> call_;
  std::unique_ptr<Plan> plan_;
};

/// Adds the methods of all signatures, in their three ways, to the class of Communicator, and the classes of what they
/// return.
void add_collectives(py::module_& module, py::object& communicator_class);

}  // namespace tutti::python

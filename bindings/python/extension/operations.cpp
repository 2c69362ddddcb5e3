#include "bindings/python/extension/operations.hpp"

#include <deque>
#include <string>

#include "bindings/python/extension/errors.hpp"

namespace tutti::python {
namespace {

PyObject* run(const Signature& signature, PyObject* self, PyObject* const* given, Py_ssize_t n, PyObject* names) {
  return guarded([&] {
    Rank& rank = rank_of(self);
    rank.require_own_thread(signature.name);
    BoundCall bound(signature, rank, sorted(signature, given, n, names));
    {
      const WithoutInterpreter free;
      rank.communicator().run(bound.call());
    }
    return bound.result().release().ptr();
  });
}

PyObject* start(const Signature& signature, PyObject* self, PyObject* const* given, Py_ssize_t n, PyObject* names) {
  return guarded([&] {
    Rank& rank = rank_of(self);
    rank.require_own_thread(signature.name);
    sweep_dropped();
    auto bound = std::make_unique<BoundCall>(signature, rank, sorted(signature, given, n, names));
    Handle handle;
    {
      const WithoutInterpreter free;
      handle = rank.communicator().start(bound->call());
    }
    AsyncOperation operation(py::reinterpret_borrow<py::object>(self), {.call = std::move(bound)}, std::move(handle));
    return py::cast(std::move(operation)).release().ptr();
  });
}

PyObject* plan(const Signature& signature, PyObject* self, PyObject* const* given, Py_ssize_t n, PyObject* names) {
  return guarded([&] {
    Rank& rank = rank_of(self);
    rank.require_own_thread(signature.name);
    sweep_dropped();
    auto bound = std::make_unique<BoundCall>(signature, rank, sorted(signature, given, n, names));
    std::optional<Plan> made;
    {
      const WithoutInterpreter free;
      made.emplace(rank.communicator().plan(bound->call()));
    }
    PlannedCall planned(py::reinterpret_borrow<py::object>(self), std::move(bound), std::move(*made));
    return py::cast(std::move(planned)).release().ptr();
  });
}

using Way = PyObject* (*)(const Signature&, PyObject*, PyObject* const*, Py_ssize_t, PyObject*);

/// The C function of row `row` of the signatures, in one of the three ways.
template <Way way, std::size_t row>
PyObject* method(PyObject* self, PyObject* const* given, Py_ssize_t n, PyObject* names) {
  return way(signatures()[row], self, given, n, names);
}

template <Way way, std::size_t... rows>
void add_methods(py::object& communicator_class, const std::string& before, const std::string& behind,
                 const std::string& what, std::index_sequence<rows...>) {
  // Definitions and their texts last as long as the class.
  static auto& texts = *new std::deque<std::string>;
  static auto& definitions = *new std::deque<PyMethodDef>;
  auto* const type = reinterpret_cast<PyTypeObject*>(communicator_class.ptr());
  const auto add = [&](const Signature& signature, _PyCFunctionFastWithKeywords function) {
    const std::string& name = texts.emplace_back(before + signature.name + behind);
    const std::string& documentation = texts.emplace_back(what + signature.documentation);
    PyMethodDef& definition = definitions.emplace_back(
        PyMethodDef{name.c_str(), reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)),
                    METH_FASTCALL | METH_KEYWORDS, documentation.c_str()});
    const auto descriptor = py::reinterpret_steal<py::object>(PyDescr_NewMethod(type, &definition));
    if (!descriptor) throw py::error_already_set();
    py::setattr(communicator_class, name.c_str(), descriptor);
  };
  (add(signatures()[rows], method<way, rows>), ...);
}

constexpr std::size_t rows = 18;
using Rows = std::make_index_sequence<rows>;

/// An operation and its memory, dropped before it was done.
class DroppedOperation final : public Dropped {
 public:
  DroppedOperation(py::object communicator, std::unique_ptr<OperationMemory> memory, std::unique_ptr<Handle> handle)
      : communicator_(std::move(communicator)), memory_(std::move(memory)), handle_(std::move(handle)) {}
  bool is_done() override {
    try {
      return handle_->test();
    } catch (...) {
      return true;  // the communicator has failed: its next call says why, and nobody reads the memory any more
    }
  }
  bool is_of(unsigned long thread) const override { return thread_ == thread; }

 private:
  unsigned long thread_ = PyThread_get_thread_ident();
  py::object communicator_;
  std::unique_ptr<OperationMemory> memory_;
  std::unique_ptr<Handle> handle_;
};

class DroppedPlan final : public Dropped {
 public:
  DroppedPlan(py::object communicator, std::unique_ptr<BoundCall> call, std::unique_ptr<Plan> plan)
      : communicator_(std::move(communicator)), call_(std::move(call)), plan_(std::move(plan)) {}
  bool is_done() override {
    try {
      return plan_->test();
    } catch (...) {
      return true;
    }
  }
  bool is_of(unsigned long thread) const override { return thread_ == thread; }

 private:
  unsigned long thread_ = PyThread_get_thread_ident();
  py::object communicator_;
  std::unique_ptr<BoundCall> call_;
  std::unique_ptr<Plan> plan_;
};

}  // namespace

AsyncOperation::AsyncOperation(py::object communicator, OperationMemory memory, Handle handle)
    : communicator_(std::move(communicator)),
      memory_(std::make_unique<OperationMemory>(std::move(memory))),
      handle_(std::make_unique<Handle>(std::move(handle))) {}

AsyncOperation::~AsyncOperation() {
  if (handle_ != nullptr)
    keep_until_done(
        std::make_unique<DroppedOperation>(std::move(communicator_), std::move(memory_), std::move(handle_)));
}

py::object AsyncOperation::wait() {
  rank_of(communicator_.ptr()).require_own_thread("wait");
  {
    const WithoutInterpreter free;
    handle_->wait();
  }
  return result();
}

bool AsyncOperation::test() {
  rank_of(communicator_.ptr()).require_own_thread("test");
  const WithoutInterpreter free;
  return handle_->test();
}

py::object AsyncOperation::result() const {
  if (memory_->is_receive) return py::cast(handle_->envelope());
  return memory_->call != nullptr ? memory_->call->result() : py::none();
}

PlannedCall::PlannedCall(py::object communicator, std::unique_ptr<BoundCall> call, Plan plan)
    : communicator_(std::move(communicator)), call_(std::move(call)), plan_(std::make_unique<Plan>(std::move(plan))) {}

PlannedCall::~PlannedCall() {
  if (plan_ != nullptr)
    keep_until_done(std::make_unique<DroppedPlan>(std::move(communicator_), std::move(call_), std::move(plan_)));
}

Rank& PlannedCall::rank() const { return rank_of(communicator_.ptr()); }

void PlannedCall::start() {
  rank().require_own_thread("start");
  const WithoutInterpreter free;
  plan_->start();
}

py::object PlannedCall::wait() {
  rank().require_own_thread("wait");
  {
    const WithoutInterpreter free;
    plan_->wait();
  }
  return output();
}

bool PlannedCall::test() {
  rank().require_own_thread("test");
  const WithoutInterpreter free;
  return plan_->test();
}

py::object PlannedCall::run() {
  rank().require_own_thread("run");
  {
    const WithoutInterpreter free;
    plan_->run();
  }
  return output();
}

void add_collectives(py::module_& module, py::object& communicator_class) {
  py::class_<AsyncOperation>(
      module, "Handle",
      "An operation under way: wait for it, or await it. Its arrays must stay as they are until "
      "it is done. One that is dropped goes on; Communicator.wait_all() waits for it, too, which "
      "has to be before the program ends.")
      .def("wait", &AsyncOperation::wait,
           "Returns when the operation is done, with what the blocking call returns; of a receive its envelope.")
      .def("test", &AsyncOperation::test, "Makes progress, and says whether the operation is done.")
      .def_property_readonly("algorithm", &AsyncOperation::algorithm,
                             "The algorithm that was chosen; empty for a message.");
  py::class_<PlannedCall>(module, "Plan",
                          "A collective bound to its arrays: prepared once, run often. Every rank starts its plan, or "
                          "makes the call that matches it, in the same order.")
      .def("start", &PlannedCall::start, "Begins one run.")
      .def("wait", &PlannedCall::wait, "Completes the run that was started; returns the output.")
      .def("test", &PlannedCall::test, "Makes progress, and says whether the run is done.")
      .def("run", &PlannedCall::run, "start() and wait().")
      .def("__call__", &PlannedCall::run, "start() and wait().")
      .def_property_readonly("output", &PlannedCall::output, "The array that each run writes.")
      .def_property_readonly("algorithm", &PlannedCall::algorithm, "The algorithm that was chosen.")
      .def("explanation", &PlannedCall::explanation,
           "Why: every algorithm that fits, with what it is predicted to take, and a sentence on the choice.");
  if (signatures().size() != rows) throw std::logic_error("a row of the signatures has no method");
  add_methods<run>(communicator_class, "", "", "", Rows());
  add_methods<start>(communicator_class, "", "_async", "Begins, and returns a Handle at once: ", Rows());
  add_methods<plan>(communicator_class, "plan_", "", "Prepares for many runs, and returns a Plan: ", Rows());
}

}  // namespace tutti::python

#include "bindings/python/extension/operators.hpp"

#include <fmt/format.h>

#include <array>
#include <set>
#include <string_view>

#include "bindings/python/extension/errors.hpp"

namespace tutti::python {
namespace {

using untyped::Reduction;

struct Known {
  const char* name;
  Reduction reduction;
  const char* documentation;
};

constexpr std::array known = {
    Known{"sum", Reduction::sum, "a + b; integers wrap around"},
    Known{"product", Reduction::product, "a * b; integers wrap around"},
    Known{"minimum", Reduction::minimum, "the smaller of both; NaN if either is"},
    Known{"maximum", Reduction::maximum, "the larger of both; NaN if either is"},
    Known{"logical_and", Reduction::logical_and, "1 if both are non-zero, else 0"},
    Known{"logical_or", Reduction::logical_or, "1 if either is non-zero, else 0"},
    Known{"logical_xor", Reduction::logical_xor, "1 if exactly one is non-zero, else 0"},
    Known{"bitwise_and", Reduction::bitwise_and, "a & b of integers"},
    Known{"bitwise_or", Reduction::bitwise_or, "a | b of integers"},
    Known{"bitwise_xor", Reduction::bitwise_xor, "a ^ b of integers"},
};

/// Text that lasts as long as the program: names of operators are looked at by other ranks' errors.
std::string_view lasting(const std::string& text) {
  static auto& texts = *new std::set<std::string>;
  return *texts.insert(text).first;
}

std::string qualified_name(const py::object& callable) {
  const py::object name = py::getattr(callable, "__qualname__", py::getattr(callable, "__name__", py::none()));
  const py::object module = py::getattr(callable, "__module__", py::none());
  if (name.is_none()) return Py_TYPE(callable.ptr())->tp_name;
  return module.is_none() ? name.cast<std::string>() : module.cast<std::string>() + "." + name.cast<std::string>();
}

/// n elements at `memory` as an array of NumPy, which is gone before they are.
py::object array_at(void* memory, std::int64_t n, const CallableState& state, int flags) {
  auto view = py::reinterpret_steal<py::object>(
      PyMemoryView_FromMemory(static_cast<char*>(memory), n * state.element_size, flags));
  if (!view) throw py::error_already_set();
  return py::module_::import("numpy").attr("ndarray")(n, state.dtype, view);
}

void combine_by(const CallableState& call, void* into, const void* const* operands, int count, std::int64_t n) {
  py::object combined = array_at(const_cast<void*>(operands[0]), n, call, PyBUF_READ);
  for (int k = 1; k < count; ++k)
    combined = call.callable(combined, array_at(const_cast<void*>(operands[k]), n, call, PyBUF_READ));
  const py::module_ numpy = py::module_::import("numpy");
  combined = numpy.attr("asarray")(combined);
  const py::object shape = combined.attr("shape");
  if (!shape.equal(py::make_tuple(n)))
    refuse(fmt::format("the operator {} got two arrays of {} elements and returned shape {}: it returns one of theirs",
                       qualified_name(call.callable), n, py::str(shape).cast<std::string>()));
  numpy.attr("copyto")(array_at(into, n, call, PyBUF_WRITE), combined);
}

/// The kernel of a callable. It is called without the interpreter, by whichever thread moves the call.
void combine(void* into, const void* const* operands, int count, std::int64_t n, detail::Stores, const void* state) {
  if (n == 0) return;
  if (Py_IsInitialized() == 0) throw Error(ErrorCode::invalid_argument, "the interpreter ended before the call did");
  const WithInterpreter interpreter;
  try {
    combine_by(*static_cast<const CallableState*>(state), into, operands, count, n);
  } catch (py::error_already_set& error) {
    throw PythonException(error);
  }
}

untyped::Operator operator_of_callable(const ReductionOperator& op, const Elements& elements,
                                       std::optional<CallableState>& state) {
  state = CallableState{op.callable(), elements.dtype(), elements.type().size};
  return untyped::caller_defined(combine, &*state, op.is_commutative(), op.identity(), lasting(op.name()));
}

}  // namespace

ReductionOperator::ReductionOperator(py::object callable, bool is_commutative)
    : name_(qualified_name(callable)),
      callable_(std::move(callable)),
      is_commutative_(is_commutative),
      identity_(detail::hash_of(name_, is_commutative ? 1 : 2)) {}

const untyped::Operator& ReductionOperator::on(const untyped::Datatype& type) const {
  if (type.primitive == untyped::Primitive::none)
    throw Error(ErrorCode::unsupported,
                fmt::format("the operator {} does not apply to {}: give a callable f(a, b)", name_, type.name));
  std::optional<untyped::Operator>& made = made_[static_cast<std::size_t>(type.primitive)];
  if (!made)
    made = is_average_ ? untyped::built_in_average(type.primitive) : untyped::built_in(reduction_, type.primitive);
  return *made;
}

untyped::Operator operator_of(const char* call, PyObject* object, const Elements& elements,
                              std::optional<CallableState>& state) {
  static PyTypeObject* const own = reinterpret_cast<PyTypeObject*>(py::type::of<ReductionOperator>().ptr());
  if (Py_TYPE(object) == own) {
    const auto& op = value_of<ReductionOperator>(object);
    return op.is_callable() ? operator_of_callable(op, elements, state) : op.on(elements.type());
  }
  if (PyCallable_Check(object) == 0)
    refuse(fmt::format("{} takes an operator, like tutti.sum, or a callable f(a, b), not {}", call,
                       Py_TYPE(object)->tp_name));
  return operator_of_callable(ReductionOperator(py::reinterpret_borrow<py::object>(object), false), elements, state);
}

void add_operators(py::module_& module) {
  py::class_<ReductionOperator>(module, "Operator", "An operator by which reductions and scans combine elements.")
      .def_property_readonly("name", &ReductionOperator::name, "The operator's name, as errors say it.")
      .def_property_readonly("is_commutative", &ReductionOperator::is_commutative,
                             "Whether op(a, b) is op(b, a), so that tutti may choose among more algorithms.")
      .def("__repr__", [](const ReductionOperator& op) { return "tutti." + op.name(); });
  for (const Known& each : known) module.attr(each.name) = ReductionOperator(each.name, each.reduction, false);
  module.attr("average") = ReductionOperator("average", Reduction::sum, true);
  module.def(
      "commutative", [](py::object callable) { return ReductionOperator(std::move(callable), true); },
      py::arg("callable"),
      "The operator of a callable f(a, b) of which f(a, b) equals f(b, a), bit for bit.\n\na and b are arrays of one "
      "dimension, read-only; f returns one like them. All ranks\ngive a callable of one name.");
  module.def(
      "non_commutative", [](py::object callable) { return ReductionOperator(std::move(callable), false); },
      py::arg("callable"),
      "The operator of a callable f(a, b) that keeps the order of ranks, as a bare callable does.");
}

}  // namespace tutti::python

/// @file
/// Operators of Python.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "bindings/python/extension/elements.hpp"
#include "bindings/python/extension/python.hpp"
#include "tutti/untyped.hpp"

namespace tutti::python {

/// The library's operator, by its reduction, or a callable of Python's. It outlives the calls that it is used in.
class ReductionOperator {
 public:
  ReductionOperator(std::string name, untyped::Reduction reduction, bool is_average)
      : name_(std::move(name)), reduction_(reduction), is_average_(is_average) {}
  /// `callable(a, b)` gets two arrays of one dimension and returns one like them.
  ReductionOperator(py::object callable, bool is_commutative);

  const std::string& name() const { return name_; }
  bool is_callable() const { return static_cast<bool>(callable_); }
  const py::object& callable() const { return callable_; }
  bool is_commutative() const { return is_commutative_; }
  std::uint64_t identity() const { return identity_; }

  /// The library's operator on that type. Needs !is_callable(). Throws `Error(unsupported)` where it does not apply.
  const untyped::Operator& on(const untyped::Datatype& type) const;

 private:
  std::string name_;
  untyped::Reduction reduction_ = untyped::Reduction::none;
  bool is_average_ = false;
  py::object callable_;
  bool is_commutative_ = true;
  std::uint64_t identity_ = 0;
  mutable std::array<std::optional<untyped::Operator>, detail::primitive_kinds> made_ = {};  // by primitive
};

/// A callable on elements of one dtype: the state of the operator that a call is given, which lives as long as the
/// call.
struct CallableState {
  py::object callable;
  py::object dtype;
  std::int64_t element_size = 0;
};

/// Operator of a call on such elements: the library's, or that of a callable with `state`, which is filled then. `object` is a
/// ReductionOperator or a callable, which keeps the order of ranks. `call` names the call for errors.
untyped::Operator operator_of(const char* call, PyObject* object, const Elements& elements,
                              std::optional<CallableState>& state);

/// Adds ReductionOperator, the library's operators, commutative() and non_commutative().
void add_operators(py::module_& module);

}  // namespace tutti::python

/// @file
/// A collective with the arguments that Python has given.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bindings/python/extension/elements.hpp"
#include "bindings/python/extension/operators.hpp"
#include "bindings/python/extension/rank.hpp"
#include "bindings/python/extension/signatures.hpp"
#include "tutti/options.hpp"
#include "tutti/untyped.hpp"

namespace tutti::python {

/// Arguments by parameter, borrowed; null: left at its default.
using Arguments = std::array<PyObject*, parameter_kinds>;

/// Sorts the arguments of a fast call by parameter. Throws `Error(invalid_argument)` for a name that is none, for too
/// many, and for one that is given twice.
Arguments sorted(const Signature& signature, PyObject* const* given, Py_ssize_t positionals, PyObject* names);

/// The untyped call of these arguments, and the memory that it needs. It lies where it was made.
class BoundCall {
 public:
  /// Finds counts that are left out by a collective of their own. Throws `Error(invalid_argument)` for what this rank
  /// can see by itself.
  BoundCall(const Signature& signature, Rank& rank, const Arguments& arguments);
  BoundCall(const BoundCall&) = delete;
  BoundCall& operator=(const BoundCall&) = delete;

  const untyped::Call& call() const { return call_; }
  /// Returns the object that Python gets once the call is done.
  py::object result() const;

 private:
  void bind_options(const Arguments& arguments);
  void bind_counts(const Arguments& arguments);
  void bind_input(const Arguments& arguments);
  void bind_output(const Arguments& arguments);
  void bind_message(PyObject* a);
  void bind_in_place(PyObject* object, Access access);
  py::object shape_of_result() const;
  std::int64_t elements_of_result() const;
  std::vector<std::int64_t> counts_of(PyObject* object) const;
  std::vector<std::int64_t> exchanged_counts(Collective collective, std::vector<std::int64_t> own);
  bool has_input() const { return call_.collective != Collective::scatter || is_root_; }
  bool has_output() const {
    return (call_.collective != Collective::gather && call_.collective != Collective::reduce) || is_root_;
  }

  const Signature& signature_;
  Rank& rank_;
  bool is_root_ = true;
  bool as_bfloat16_ = false;
  Elements input_;
  Elements output_;
  py::object made_;         // the output that was made for the call
  bool is_scalar_ = false;  // whether made_ stands for a scalar of NumPy's
  std::vector<std::int64_t> counts_;
  std::vector<std::int64_t> receive_counts_;
  std::optional<CollectiveOptions> options_;
  std::optional<CallableState> callable_;
  untyped::Call call_;
};

}  // namespace tutti::python

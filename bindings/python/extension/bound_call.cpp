#include "bindings/python/extension/bound_call.hpp"

#include <fmt/format.h>

#include <numeric>
#include <string_view>

#include "bindings/python/extension/errors.hpp"
#include "bindings/python/extension/memory.hpp"

namespace tutti::python {
namespace {

PyObject* at(const Arguments& arguments, Parameter parameter) {
  PyObject* const given = arguments[static_cast<std::size_t>(parameter)];
  return given == Py_None ? nullptr : given;
}

int integer_of(const char* call, const char* name, PyObject* object) {
  const long value = PyLong_AsLong(object);
  if (value == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    refuse(
        fmt::format("{} takes an integer as {}, not {}", call, name, py::repr(py::handle(object)).cast<std::string>()));
  }
  if (value != static_cast<int>(value)) refuse(fmt::format("{}: {} {} is beyond 32 bits", call, name, value));
  return static_cast<int>(value);
}

int parameter_of(PyObject* name) {
  for (int k = 0; k < parameter_kinds; ++k) {
    if (PyUnicode_CompareWithASCIIString(name, parameter_names[static_cast<std::size_t>(k)]) == 0) return k;
  }
  return -1;
}

bool takes(const Signature& signature, int parameter) {
  if (parameter >= static_cast<int>(Parameter::algorithm)) return true;
  for (int k = 0; k < signature.positionals; ++k) {
    if (static_cast<int>(signature.positional[static_cast<std::size_t>(k)]) == parameter) return true;
  }
  return false;
}

std::string parameters_of(const Signature& signature) {
  std::string text;
  for (int k = 0; k < signature.positionals; ++k)
    text += std::string(k == 0 ? "" : ", ") +
            parameter_names[static_cast<std::size_t>(signature.positional[static_cast<std::size_t>(k)])];
  return text.empty() ? "none" : text;
}

std::int64_t total(const std::vector<std::int64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

}  // namespace

Arguments sorted(const Signature& signature, PyObject* const* given, Py_ssize_t positionals, PyObject* names) {
  Arguments arguments = {};
  if (positionals > signature.positionals)
    refuse(fmt::format("{} takes at most {} arguments without a name ({}), not {}", signature.name,
                       signature.positionals, parameters_of(signature), positionals));
  for (Py_ssize_t k = 0; k < positionals; ++k)
    arguments[static_cast<std::size_t>(signature.positional[static_cast<std::size_t>(k)])] = given[k];
  const Py_ssize_t named = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject* const name = PyTuple_GET_ITEM(names, k);
    const int parameter = parameter_of(name);
    if (parameter < 0 || !takes(signature, parameter))
      refuse(fmt::format("{} has no argument {}: it takes {}, and algorithm, segments, radix, grid, dtype",
                         signature.name, py::repr(py::handle(name)).cast<std::string>(), parameters_of(signature)));
    PyObject*& place = arguments[static_cast<std::size_t>(parameter)];
    if (place != nullptr)
      refuse(
          fmt::format("{}: {} is given twice", signature.name, parameter_names[static_cast<std::size_t>(parameter)]));
    place = given[positionals + k];
  }
  return arguments;
}

BoundCall::BoundCall(const Signature& signature, Rank& rank, const Arguments& arguments)
    : signature_(signature), rank_(rank) {
  call_.collective = signature.collective;
  call_.by_counts = signature.by_counts;
  if (PyObject* const root = at(arguments, Parameter::root)) call_.root = integer_of(signature.name, "root", root);
  call_.distance = 1;
  if (PyObject* const distance = at(arguments, Parameter::distance))
    call_.distance = integer_of(signature.name, "distance", distance);
  const bool is_rooted = call_.collective == Collective::scatter || call_.collective == Collective::gather ||
                         call_.collective == Collective::reduce || call_.collective == Collective::broadcast;
  is_root_ = !is_rooted || call_.root == rank.rank();
  bind_options(arguments);
  if (call_.collective == Collective::barrier) return;
  if (call_.collective == Collective::broadcast) {
    PyObject* const a = at(arguments, Parameter::a);
    if (a == nullptr) refuse("broadcast needs an array, or a number of the root's kind, on every rank");
    bind_message(a);
    return;
  }
  bind_input(arguments);
  bind_counts(arguments);
  bind_output(arguments);
  const Elements& elements = input_.is_bound() ? input_ : output_;
  call_.type = elements.type();
  if (!takes(signature, static_cast<int>(Parameter::op))) return;
  static const py::object& sum = *new py::object(py::module_::import("tutti").attr("sum"));
  PyObject* const op = at(arguments, Parameter::op);
  call_.op = operator_of(signature.name, op == nullptr ? sum.ptr() : op, elements, callable_);
}

void BoundCall::bind_options(const Arguments& arguments) {
  if (PyObject* const dtype = at(arguments, Parameter::dtype)) {
    as_bfloat16_ = py::isinstance<py::str>(dtype) && py::handle(dtype).cast<std::string>() == "bfloat16";
    if (!as_bfloat16_)
      refuse(
          fmt::format("{}: dtype is for tutti.bfloat16 alone, which arrays of uint16 stand for; other arrays have "
                      "theirs",
                      signature_.name));
  }
  PyObject* const algorithm = at(arguments, Parameter::algorithm);
  PyObject* const segments = at(arguments, Parameter::segments);
  PyObject* const radix = at(arguments, Parameter::radix);
  PyObject* const grid = at(arguments, Parameter::grid);
  if (algorithm == nullptr && segments == nullptr && radix == nullptr && grid == nullptr) return;
  CollectiveOptions& options = options_.emplace();
  if (algorithm != nullptr) {
    if (PyUnicode_Check(algorithm) == 0)
      refuse(fmt::format("{} takes a name as algorithm, not {}", signature_.name, Py_TYPE(algorithm)->tp_name));
    const char* const name = PyUnicode_AsUTF8(algorithm);  // lives as long as its object, which the caller holds
    if (name == nullptr) throw py::error_already_set();
    options.algorithm = name;
  }
  if (segments != nullptr) options.segments = integer_of(signature_.name, "segments", segments);
  if (radix != nullptr) options.radix = integer_of(signature_.name, "radix", radix);
  if (grid != nullptr) {
    for (const py::handle extent : py::handle(grid))
      options.grid.push_back(integer_of(signature_.name, "grid", extent.ptr()));
  }
  call_.options = &options;
}

// A scalar of NumPy's is a number, which NumPy shows as a buffer that may only be read.
void BoundCall::bind_message(PyObject* a) {
  static const py::object& scalar = *new py::object(py::module_::import("numpy").attr("generic"));
  is_scalar_ = PyObject_TypeCheck(a, reinterpret_cast<PyTypeObject*>(scalar.ptr())) != 0;
  if (is_scalar_) made_ = py::module_::import("numpy").attr("array")(py::handle(a));
  bind_in_place(is_scalar_ ? made_.ptr() : a, is_root_ ? Access::read : Access::write);
}

void BoundCall::bind_in_place(PyObject* object, Access access) {
  output_.bind(signature_.name, object, access, as_bfloat16_);
  call_.in_place = true;
  call_.read_only = output_.is_read_only();
  call_.output = output_.data();
  call_.output_size = output_.count();
  call_.type = output_.type();
}

void BoundCall::bind_input(const Arguments& arguments) {
  PyObject* const a = at(arguments, Parameter::a);
  if (!has_input()) return;
  if (a == nullptr) refuse(fmt::format("{} needs an array on this rank, {}", signature_.name, rank_.rank()));
  input_.bind(signature_.name, a, Access::read, as_bfloat16_);
  call_.input = input_.data();
  call_.input_size = input_.count();
}

void BoundCall::bind_counts(const Arguments& arguments) {
  if (!call_.by_counts) return;
  PyObject* const counts = at(arguments, Parameter::counts);
  PyObject* const receive_counts = at(arguments, Parameter::receive_counts);
  if (counts != nullptr) {
    counts_ = counts_of(counts);
  } else if (takes(signature_, static_cast<int>(Parameter::op)) || call_.collective == Collective::scatter ||
             call_.collective == Collective::all_to_all) {
    refuse(fmt::format("{} needs counts: the number of elements of each rank's block", signature_.name));
  } else {
    counts_ = exchanged_counts(Collective::all_gather, {call_.input_size});
  }
  if (call_.collective == Collective::all_to_all) {
    receive_counts_ =
        receive_counts != nullptr ? counts_of(receive_counts) : exchanged_counts(Collective::all_to_all, counts_);
    call_.receive_counts = receive_counts_;
  }
  call_.counts = counts_;
}

std::vector<std::int64_t> BoundCall::counts_of(PyObject* object) const {
  std::vector<std::int64_t> counts;
  std::int64_t sum = 0;
  for (const py::handle count : py::handle(object)) {
    const Py_ssize_t value = PyNumber_AsSsize_t(count.ptr(), PyExc_OverflowError);
    if (value == -1 && PyErr_Occurred() != nullptr) {
      if (PyErr_ExceptionMatches(PyExc_OverflowError) == 0) throw py::error_already_set();
      PyErr_Clear();
      refuse(fmt::format("{}: a count is a whole number from 0 to 2^63 - 1", signature_.name));
    }
    if (value < 0) refuse(fmt::format("{}: a count is {}: counts are 0 or more", signature_.name, value));
    if (__builtin_add_overflow(sum, value, &sum))
      refuse(fmt::format("{}: the counts are more than 2^63 - 1 elements together", signature_.name));
    counts.push_back(value);
  }
  if (counts.size() != static_cast<std::size_t>(rank_.size()))
    refuse(fmt::format("{} takes a count for each of the {} ranks, not {} counts", signature_.name, rank_.size(),
                       counts.size()));
  return counts;
}

std::vector<std::int64_t> BoundCall::exchanged_counts(Collective collective, std::vector<std::int64_t> own) {
  if (own.size() != 1 && own.size() != static_cast<std::size_t>(rank_.size())) return own;
  std::vector<std::int64_t> told(static_cast<std::size_t>(rank_.size()));
  untyped::Call call{.collective = collective,
                     .input = own.data(),
                     .input_size = static_cast<std::int64_t>(own.size()),
                     .output = told.data(),
                     .output_size = rank_.size(),
                     .type = untyped::type_of(untyped::Primitive::int64)};
  const WithoutInterpreter free;
  rank_.communicator().run(call);
  return told;
}

std::int64_t BoundCall::elements_of_result() const {
  const auto p = std::int64_t{rank_.size()};
  const auto own = static_cast<std::size_t>(rank_.rank());
  switch (call_.collective) {
    case Collective::gather:
    case Collective::all_gather:
      return total(counts_);
    case Collective::scatter:
    case Collective::reduce_scatter:
      return counts_[own];
    case Collective::all_to_all:
      return total(receive_counts_);
    default:  // shift
      return counts_[static_cast<std::size_t>(((rank_.rank() - std::int64_t{call_.distance}) % p + p) % p)];
  }
}

/// Blocks are joined, and parted, along the first dimension.
py::object BoundCall::shape_of_result() const {
  if (call_.by_counts) return py::int_(elements_of_result());
  const std::int64_t p = rank_.size();
  const bool joins = call_.collective == Collective::gather || call_.collective == Collective::all_gather;
  const bool parts = call_.collective == Collective::scatter || call_.collective == Collective::reduce_scatter;
  const bool has_blocks = parts || call_.collective == Collective::all_to_all;
  if (has_blocks && (input_.dimensions() == 0 || input_.extent(0) % p != 0))
    refuse(fmt::format("{} takes {} blocks along the first dimension, which is {}: a multiple of {}, or give out",
                       signature_.name, p, input_.dimensions() == 0 ? 1 : input_.extent(0), p));
  if (input_.dimensions() == 0) return joins ? py::make_tuple(p) : py::tuple(0);
  py::tuple shape(input_.dimensions());
  for (int d = 0; d < input_.dimensions(); ++d) shape[static_cast<std::size_t>(d)] = input_.extent(d);
  if (joins) shape[0] = input_.extent(0) * p;
  if (parts) shape[0] = input_.extent(0) / p;
  return shape;
}

void BoundCall::bind_output(const Arguments& arguments) {
  if (!has_output()) return;
  PyObject* const out = at(arguments, Parameter::out);
  if (out != nullptr) {
    output_.bind(signature_.name, out, Access::write, as_bfloat16_);
    if (output_.is_number()) refuse(fmt::format("{} writes into an array: out is a number", signature_.name));
    if (input_.is_bound() && output_.type().identity != input_.type().identity)
      refuse(fmt::format("{}: a has elements of type {}, out of type {}: give an out of a's dtype", signature_.name,
                         input_.type().name, output_.type().name));
  } else if (!input_.is_bound()) {
    refuse(fmt::format("{} needs out on rank {}, which is not the root, {}: tutti.empty(m, dtype)", signature_.name,
                       rank_.rank(), call_.root));
  } else {
    const bool gives_number =
        input_.is_number() && call_.collective != Collective::gather && call_.collective != Collective::all_gather;
    made_ = gives_number ? input_.number() : new_array(shape_of_result(), input_.dtype());
    output_.bind(signature_.name, made_.ptr(), gives_number ? Access::read : Access::write, as_bfloat16_);
  }
  call_.output = output_.data();
  call_.output_size = output_.count();
}

py::object BoundCall::result() const {
  if (call_.collective == Collective::barrier || !has_output()) return py::none();
  if (call_.collective == Collective::exclusive_scan && rank_.rank() == 0 && made_) return py::none();
  if (output_.is_number()) return output_.number();
  if (is_scalar_) return made_[py::tuple(0)];
  return py::reinterpret_borrow<py::object>(output_.object());
}

}  // namespace tutti::python

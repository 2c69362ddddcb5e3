#include "bindings/python/extension/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <complex>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

#include "bindings/python/extension/dlpack.hpp"
#include "bindings/python/extension/errors.hpp"

namespace tutti::python {
namespace {

using untyped::Primitive;

static_assert(std::endian::native == std::endian::little, "formats of buffers are read as a little-endian machine's");
static_assert(sizeof(Py_ssize_t) == sizeof(std::int64_t), "shapes of buffers are read where they lie");

/// The primitive of a format of the struct module, without its mark of byte order; none: bytes that are only moved.
Primitive primitive_of(std::string_view format, std::int64_t size) {
  if (format == "Zf") return Primitive::complex_single;
  if (format == "Zd") return Primitive::complex_twice;
  if (format.size() != 1) return Primitive::none;
  switch (format[0]) {
    case '?':
      return Primitive::boolean;
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
    case 'n':
      return untyped::integer_of(size, true);
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
    case 'N':
      return untyped::integer_of(size, false);
    case 'e':
      return Primitive::half;
    case 'f':
      return Primitive::single;
    case 'd':
      return Primitive::twice;
    default:
      return Primitive::none;
  }
}

/// Whether elements of that format are, or hold, references to objects of Python's, which mean nothing to another rank.
/// Names of fields, between colons, may have any letters.
bool holds_objects(std::string_view format) {
  bool is_name = false;
  return std::any_of(format.begin(), format.end(), [&](char letter) {
    is_name = is_name != (letter == ':');
    return letter == 'O' && !is_name;
  });
}

/// Elements that are only moved: their name says their size, and lasts.
untyped::Datatype moved_type(std::int64_t size) {
  static auto& names = *new std::map<std::int64_t, std::string>;  // outlives all calls
  auto& name = names[size];
  if (name.empty()) name = fmt::format("elements of {} bytes", size);
  return untyped::type_of_bytes(static_cast<std::uint32_t>(size), name);
}

/// The types of all primitives, made once: a call looks one up.
const untyped::Datatype& lasting_type(Primitive primitive) {
  static const auto types = [] {
    std::array<untyped::Datatype, detail::primitive_kinds> made;
    for (int k = 1; k < detail::primitive_kinds; ++k)
      made[static_cast<std::size_t>(k)] = untyped::type_of(static_cast<Primitive>(k));
    return made;
  }();
  return types[static_cast<std::size_t>(primitive)];
}

Primitive primitive_of(const dlpack::DataType& type) {
  if (type.lanes != 1) return Primitive::none;
  switch (type.code) {
    case dlpack::Code::integer:
      return untyped::integer_of(type.bits / 8, true);
    case dlpack::Code::natural:
      return untyped::integer_of(type.bits / 8, false);
    case dlpack::Code::boolean:
      return Primitive::boolean;
    case dlpack::Code::bfloat:
      return Primitive::brain;
    case dlpack::Code::floating:
      if (type.bits == 16) return Primitive::half;
      return type.bits == 32 ? Primitive::single : type.bits == 64 ? Primitive::twice : Primitive::none;
    case dlpack::Code::complex:
      return type.bits == 64    ? Primitive::complex_single
             : type.bits == 128 ? Primitive::complex_twice
                                : Primitive::none;
  }
  return Primitive::none;
}

bool is_contiguous(const dlpack::Tensor& tensor) {
  if (tensor.strides == nullptr) return true;
  if (std::any_of(tensor.shape, tensor.shape + tensor.dimensions, [](std::int64_t n) { return n == 0; })) return true;
  std::int64_t expected = 1;
  for (int d = tensor.dimensions - 1; d >= 0; --d) {
    if (tensor.shape[d] != 1 && tensor.strides[d] != expected) return false;
    expected *= tensor.shape[d];
  }
  return true;
}

[[noreturn]] void refuse_object(const char* call, PyObject* object) {
  refuse(
      fmt::format("{} takes arrays (NumPy, array, bytearray, memoryview, torch on the CPU) or one number, not {}: "
                  "numpy.asarray() makes an array of numbers, and calls in _object take any object",
                  call, Py_TYPE(object)->tp_name));
}

/// Why a buffer was not given, in words with the remedy.
[[noreturn]] void refuse_buffer(const char* call, PyObject* object, Access access) {
  PyErr_Clear();
  Py_buffer view;
  if (access == Access::write && PyObject_GetBuffer(object, &view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) == 0) {
    PyBuffer_Release(&view);
    refuse(fmt::format("{} writes into its output, and this {} is read-only: give a copy of it", call,
                       Py_TYPE(object)->tp_name));
  }
  PyErr_Clear();
  if (PyObject_GetBuffer(object, &view, PyBUF_FORMAT | PyBUF_STRIDES) == 0) {
    PyBuffer_Release(&view);
    refuse(
        fmt::format("{} takes contiguous arrays (in C's order), and this {} is not: numpy.ascontiguousarray() makes "
                    "one",
                    call, Py_TYPE(object)->tp_name));
  }
  const std::string reason = text_of_exception();
  PyErr_Clear();
  refuse(fmt::format("{} cannot read this {} as a buffer ({}): take a view of it as integers, like a.view('int64')",
                     call, Py_TYPE(object)->tp_name, reason));
}

}  // namespace

Elements::~Elements() {
  if (view_.obj != nullptr) PyBuffer_Release(&view_);
  Py_XDECREF(capsule_);
  Py_XDECREF(object_);
}

void Elements::bind(const char* call, PyObject* object, Access access, bool as_bfloat16) {
  if (PyObject_CheckBuffer(object) != 0) {
    bind_buffer(call, object, access);
    set_type(call, view_.format, view_.itemsize, as_bfloat16);
  } else if (!bind_number(object) && !bind_dlpack(call, object)) {
    refuse_object(call, object);
  }
  object_ = Py_NewRef(object);
}

void Elements::bind_buffer(const char* call, PyObject* object, Access access) {
  const int flags = PyBUF_FORMAT | PyBUF_C_CONTIGUOUS | (access == Access::write ? PyBUF_WRITABLE : 0);
  if (PyObject_GetBuffer(object, &view_, flags) != 0) {
    view_.obj = nullptr;
    refuse_buffer(call, object, access);
  }
  data_ = view_.buf;
  count_ = view_.itemsize > 0 ? view_.len / view_.itemsize : 0;
  is_read_only_ = view_.readonly != 0;
  dimensions_ = view_.ndim;
  shape_ = view_.shape;
}

void Elements::set_type(const char* call, const char* format, std::int64_t size, bool as_bfloat16) {
  std::string_view letters = format == nullptr ? "B" : format;
  if (letters.starts_with('>') || letters.starts_with('!'))
    refuse(
        fmt::format("{} takes numbers in this machine's order of bytes, and these are swapped: "
                    "a.astype(a.dtype.newbyteorder('=')) turns them round",
                    call));
  if (holds_objects(letters))
    refuse(fmt::format(
        "{} takes arrays of numbers, and the elements of this one are objects of Python's: calls in _object "
        "take any object",
        call));
  if (letters.starts_with('@') || letters.starts_with('=') || letters.starts_with('<')) letters.remove_prefix(1);
  Primitive primitive = primitive_of(letters, size);
  if (as_bfloat16) {
    if (primitive != Primitive::uint16)
      refuse(
          fmt::format("{}: dtype=tutti.bfloat16 reads arrays of uint16 as bfloat16, not elements of {} bytes in "
                      "format '{}': give a.view('uint16')",
                      call, size, letters));
    primitive = Primitive::brain;
  }
  type_ = primitive == Primitive::none ? moved_type(size) : lasting_type(primitive);
}

bool Elements::bind_number(PyObject* object) {
  Primitive primitive = Primitive::none;
  const auto put = [&](auto value) { std::memcpy(value_.data(), &value, sizeof(value)); };
  if (PyBool_Check(object)) {
    primitive = Primitive::boolean;
    put(object == Py_True);
  } else if (PyLong_Check(object)) {
    primitive = Primitive::int64;
    const long long value = PyLong_AsLongLong(object);
    if (value == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      refuse("an int is one of 64 bits, and this one is larger: pass numpy.uint64(...), or a float");
    }
    put(value);
  } else if (PyFloat_Check(object)) {
    primitive = Primitive::twice;
    put(PyFloat_AS_DOUBLE(object));
  } else if (PyComplex_Check(object)) {
    primitive = Primitive::complex_twice;
    put(std::complex<double>(PyComplex_RealAsDouble(object), PyComplex_ImagAsDouble(object)));
  } else {
    return false;
  }
  type_ = lasting_type(primitive);
  data_ = value_.data();
  count_ = 1;
  is_number_ = true;
  return true;
}

bool Elements::bind_dlpack(const char* call, PyObject* object) {
  if (PyObject_HasAttrString(object, "__dlpack__") == 0) return false;
  // A tensor that is learned is shown detached.
  PyObject* shown = PyObject_HasAttrString(object, "detach") != 0 ? PyObject_CallMethod(object, "detach", nullptr)
                                                                  : Py_NewRef(object);
  if (shown != nullptr) {
    capsule_ = PyObject_CallMethod(shown, "__dlpack__", nullptr);
    Py_DECREF(shown);
  }
  if (capsule_ == nullptr) {
    const std::string reason = text_of_exception();
    PyErr_Clear();
    refuse(fmt::format("{} cannot read this {} through DLPack ({}): give its array of NumPy, like a.numpy()", call,
                       Py_TYPE(object)->tp_name, reason));
  }
  const auto* managed = static_cast<const dlpack::ManagedTensor*>(PyCapsule_GetPointer(capsule_, dlpack::capsule_name));
  if (managed == nullptr) throw py::error_already_set();
  const dlpack::Tensor& tensor = managed->tensor;
  if (tensor.device.kind != dlpack::cpu)
    refuse(fmt::format("{} takes memory of the CPU, and this {} is on another device: give a.cpu()", call,
                       Py_TYPE(object)->tp_name));
  if (!is_contiguous(tensor))
    refuse(fmt::format("{} takes contiguous arrays, and this {} is not: a.contiguous() makes one", call,
                       Py_TYPE(object)->tp_name));
  const Primitive primitive = primitive_of(tensor.type);
  const std::int64_t size = tensor.type.bits / 8 * std::int64_t{tensor.type.lanes};
  type_ = primitive == Primitive::none ? moved_type(size) : lasting_type(primitive);
  data_ = static_cast<char*>(tensor.data) + tensor.byte_offset;
  count_ = 1;
  for (int d = 0; d < tensor.dimensions; ++d) count_ *= tensor.shape[d];
  dimensions_ = tensor.dimensions;
  shape_ = tensor.shape;
  return true;
}

py::object Elements::number() const {
  const auto get = [&]<typename T>(T value) {
    std::memcpy(&value, value_.data(), sizeof(value));
    return value;
  };
  switch (type_.primitive) {
    case Primitive::boolean:
      return py::bool_(get(false));
    case Primitive::int64:
      return py::int_(get(0LL));
    case Primitive::twice:
      return py::float_(get(0.0));
    default: {
      const std::complex<double> value = get(std::complex<double>());
      return py::reinterpret_steal<py::object>(PyComplex_FromDoubles(value.real(), value.imag()));
    }
  }
}

py::object Elements::dtype() const {
  if (view_.obj != nullptr && PyObject_HasAttrString(object_, "dtype") != 0) return py::handle(object_).attr("dtype");
  if (type_.primitive == Primitive::none)
    return py::module_::import("numpy").attr("dtype")(fmt::format("V{}", type_.size));
  return dtype_of(type_.primitive);
}

py::object dtype_of(Primitive primitive) {
  constexpr std::array<const char*, detail::primitive_kinds> names = {
      "V1",     "bool",   "int8",    "int16",  "int32",   "int64",   "uint8",     "uint16",
      "uint32", "uint64", "float16", "uint16", "float32", "float64", "complex64", "complex128"};
  static auto& dtypes = *new std::array<py::object, detail::primitive_kinds>;  // outlives the interpreter
  py::object& dtype = dtypes[static_cast<std::size_t>(primitive)];
  if (!dtype) dtype = py::module_::import("numpy").attr("dtype")(names[static_cast<std::size_t>(primitive)]);
  return dtype;
}

}  // namespace tutti::python

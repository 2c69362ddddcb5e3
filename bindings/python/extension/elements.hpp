/// @file
/// Elements that Python objects hold.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "bindings/python/extension/python.hpp"
#include "tutti/untyped.hpp"

namespace tutti::python {

/// Use that a call makes of elements.
enum class Access { read, write };

/// The elements of one object: of a buffer (NumPy, array.array, bytearray, memoryview), of what DLPack shows (torch on
/// the CPU), or one number. Holds them in memory while it lives; it lies where it was made.
class Elements {
 public:
  Elements() = default;
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;
  ~Elements();

  /// `call` names the call for errors, `as_bfloat16` says that 16-bit integers stand for bfloat16. Throws
  /// `Error(invalid_argument)` with the remedy for what is not contiguous, byte-swapped, read-only if it is to be
  /// written, or no array.
  void bind(const char* call, PyObject* object, Access access, bool as_bfloat16);

  bool is_bound() const { return object_ != nullptr; }
  /// The object, borrowed.
  PyObject* object() const { return object_; }
  void* data() const { return data_; }
  std::int64_t count() const { return count_; }
  const untyped::Datatype& type() const { return type_; }
  bool is_read_only() const { return is_read_only_; }
  /// Whether the object is a number of Python's, which a call returns instead of changing it.
  bool is_number() const { return is_number_; }
  int dimensions() const { return dimensions_; }
  std::int64_t extent(int dimension) const { return shape_[dimension]; }
  /// The number that lies here now. Needs is_number().
  py::object number() const;
  /// The dtype of NumPy by which a like array is made.
  py::object dtype() const;

 private:
  bool bind_number(PyObject* object);
  bool bind_dlpack(const char* call, PyObject* object);
  void bind_buffer(const char* call, PyObject* object, Access access);
  void set_type(const char* call, const char* format, std::int64_t size, bool as_bfloat16);

  PyObject* object_ = nullptr;  // owned
  Py_buffer view_ = {};
  PyObject* capsule_ = nullptr;  // of DLPack
  void* data_ = nullptr;
  std::int64_t count_ = 0;
  untyped::Datatype type_;
  bool is_read_only_ = false;
  bool is_number_ = false;
  int dimensions_ = 0;
  const std::int64_t* shape_ = nullptr;
  alignas(16) std::array<std::byte, 16> value_ = {};  // of a number
};

/// The dtype of NumPy of a primitive.
py::object dtype_of(untyped::Primitive primitive);

}  // namespace tutti::python

/// @file
/// The structures of DLPack, version 0 (dmlc.github.io/dlpack): how libraries of tensors show one another their memory.
#pragma once

#include <cstdint>

namespace tutti::python::dlpack {

inline constexpr std::int32_t cpu = 1;
inline constexpr const char* capsule_name = "dltensor";

struct Device {
  std::int32_t kind;
  std::int32_t number;
};

enum class Code : std::uint8_t { integer = 0, natural = 1, floating = 2, bfloat = 4, complex = 5, boolean = 6 };

struct DataType {
  Code code;
  std::uint8_t bits;
  std::uint16_t lanes;
};

struct Tensor {
  void* data;
  Device device;
  std::int32_t dimensions;
  DataType type;
  std::int64_t* shape;
  std::int64_t* strides;  ///< in elements; null: contiguous, the last dimension first
  std::uint64_t byte_offset;
};

struct ManagedTensor {
  Tensor tensor;
  void* manager;
  void (*deleter)(ManagedTensor*);
};

}  // namespace tutti::python::dlpack

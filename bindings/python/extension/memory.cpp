#include "bindings/python/extension/memory.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <vector>

#include "tutti/error.hpp"
#include "tutti/memory.hpp"

namespace tutti::python {
namespace {

constexpr std::size_t least_shared = std::size_t{4} << 10;
constexpr std::size_t most_idle = std::size_t{256} << 20;

/// Blocks of memory that ranks share, kept by size when they are free. Guarded by the interpreter's lock; never
/// destroyed, because arrays may outlive the module.
class Pool {
 public:
  void allocate_from(const Communicator& communicator) { communicator_ = communicator; }

  /// A block of at least that many bytes; empty where there is none to be had.
  Memory<std::byte> take(std::size_t bytes) {
    const std::size_t size = size_class(bytes);
    if (const auto kept = idle_.find(size); kept != idle_.end()) {
      Memory<std::byte> block = std::move(kept->second.back());
      kept->second.pop_back();
      if (kept->second.empty()) idle_.erase(kept);
      idle_bytes_ -= size;
      used_bytes_ += size;
      return block;
    }
    if (!communicator_) return {};
    try {
      Memory<std::byte> block = communicator_->allocate<std::byte>(size);
      used_bytes_ += size;
      return block;
    } catch (const Error&) {  // no room, a world that was left, or a child of the rank: memory of NumPy's own serves
      communicator_.reset();
      return {};
    }
  }
  void give_back(Memory<std::byte> block) {
    used_bytes_ -= block.size();
    if (idle_bytes_ + block.size() > std::max(most_idle, used_bytes_)) return;
    idle_bytes_ += block.size();
    idle_[block.size()].push_back(std::move(block));
  }

 private:
  /// Eight sizes between two powers of two, so that a block is wasted by an eighth at most.
  static std::size_t size_class(std::size_t bytes) {
    const std::size_t step = std::max(std::bit_floor(bytes) / 8, least_shared);
    return (bytes + step - 1) / step * step;
  }

  std::optional<Communicator> communicator_;
  std::map<std::size_t, std::vector<Memory<std::byte>>> idle_;
  std::size_t idle_bytes_ = 0;
  std::size_t used_bytes_ = 0;
};

Pool& pool() {
  static Pool& all = *new Pool;
  return all;
}

/// A block as an object that shows its memory to NumPy, which keeps it as long as the array.
class Block {
 public:
  explicit Block(Memory<std::byte> memory) : memory_(std::move(memory)) {}
  Block(Block&&) noexcept = default;
  ~Block() {
    if (!memory_.empty()) pool().give_back(std::move(memory_));
  }

  py::buffer_info shown() {
    return {memory_.data(), 1, "B", 1, {static_cast<py::ssize_t>(memory_.size())}, {py::ssize_t{1}}, false};
  }

 private:
  Memory<std::byte> memory_;
};

/// Bytes of an array; 0 for a shape that NumPy is to refuse in its own words.
std::size_t bytes_of(const py::object& shape, const py::object& dtype) {
  std::int64_t bytes = dtype.attr("itemsize").cast<std::int64_t>();
  const auto multiply = [&](py::handle extent) {
    const Py_ssize_t n = PyNumber_AsSsize_t(extent.ptr(), PyExc_OverflowError);
    if (n == -1 && PyErr_Occurred() != nullptr) PyErr_Clear();
    return n >= 0 && !__builtin_mul_overflow(bytes, n, &bytes);
  };
  bool fits = true;
  if (PyIndex_Check(shape.ptr()) != 0) {
    fits = multiply(shape);
  } else {
    for (const py::handle extent : shape) fits = fits && multiply(extent);
  }
  return fits ? static_cast<std::size_t>(bytes) : 0;
}

}  // namespace

void allocate_from(const Communicator& communicator) { pool().allocate_from(communicator); }

py::object new_array(const py::object& shape, const py::object& dtype) {
  static auto& numpy = *new py::module_(py::module_::import("numpy"));  // outlives the interpreter
  const std::size_t bytes = bytes_of(shape, dtype);
  if (bytes >= least_shared) {
    Memory<std::byte> memory = pool().take(bytes);
    if (!memory.empty()) return numpy.attr("ndarray")(shape, dtype, py::cast(Block(std::move(memory))));
  }
  return numpy.attr("empty")(shape, dtype);
}

void add_memory(py::module_& module) {
  py::class_<Block>(module, "Block", py::buffer_protocol(),
                    "Memory that the ranks share, of which empty() makes arrays.")
      .def_buffer(&Block::shown);
  module.def(
      "empty",
      [](const py::object& shape, const py::object& dtype) {
        return new_array(shape, py::module_::import("numpy").attr("dtype")(dtype));
      },
      py::arg("shape"), py::arg("dtype") = "float64",
      "An array of NumPy of that shape and dtype, not zeroed.\n\nFrom 4 KiB on it lies in memory that the other ranks "
      "reach in place, which makes\ncalls of 1 MiB and more several times as fast as in private memory. Blocks are "
      "kept\nand used again. Before world() or join() it is numpy.empty().");
}

}  // namespace tutti::python

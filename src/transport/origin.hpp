/// @file
/// Process that something belongs to: a child that has a copy of it owns nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace tutti::runtime {

/// A number that a process has drawn at random, and where it lies in its memory. Who reads that number there, reads the
/// memory of that process: not of another one that has its process number, be it in another namespace or later, nor of
/// a child, nor of a program that has taken the process over by exec.
struct ProcessMark {
  std::uint64_t address = 0;
  std::uint64_t value = 0;
};

/// The process in which an object was made. Copies of the object that come into being by fork() are another process's,
/// in which all that the object shares with other processes must be left alone.
class Origin {
 public:
  /// This process. Throws `Error(unsupported)` where there is no memory to be had.
  Origin();

  /// Costs a load: the system clears the mark in every child.
  bool is_this_process() const noexcept { return place_->load(std::memory_order_relaxed) == value_; }
  /// Throws `Error(invalid_argument)` in another process, which was about to do `what`.
  void require_this_process(std::string_view what) const {
    if (!is_this_process()) refuse(what);
  }
  ProcessMark mark() const noexcept { return {reinterpret_cast<std::uintptr_t>(place_), value_}; }

 private:
  [[noreturn]] static void refuse(std::string_view what);

  const std::atomic<std::uint64_t>* place_;
  std::uint64_t value_;
};

}  // namespace tutti::runtime

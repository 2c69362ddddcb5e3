/// @file
/// Value in flight: memory that MPI reads or writes after a nonblocking function has returned.
#pragma once

#include <memory>
#include <utility>

namespace tutti::interpose {

/// Value that MPI may use until it is taken back. Where the wait for MPI is given up, by an exception or by a jump out
/// of an error handler, the value is never freed: MPI may write there as long as the program runs.
template <typename T>
class InFlight {
 public:
  explicit InFlight(T value) : value_(new T(std::move(value))) {}
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;

  T* operator->() const { return value_; }
  /// To be called once, when MPI has done what was begun.
  T take_back() { return std::move(*std::unique_ptr<T>(std::exchange(value_, nullptr))); }

 private:
  T* value_;
};

}  // namespace tutti::interpose

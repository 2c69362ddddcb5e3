/// @file
/// Operation as its group and the helper see it: something under way that is advanced and settled.
#pragma once

#include <torch/csrc/distributed/c10d/Work.hpp>

#include <chrono>
#include <cstdint>

namespace tutti::torch_backend {

class OperationUnderWay : public c10d::Work {
 public:
  using c10d::Work::Work;

  /// Tick of the helper at which it was begun.
  void set_born(std::uint64_t tick) { born_ = tick; }
  std::uint64_t born() const { return born_; }

  /// With the rank's lock held: whether all parts are done. Does not wait, and settles it where they are.
  virtual bool test_and_settle() = 0;
  /// Without the lock: completes the future, if somebody has asked for one. Once.
  virtual void tell() = 0;
  /// Waits until it is done, also where the caller believes that.
  virtual void wait_until_settled(std::chrono::milliseconds timeout) = 0;

 private:
  std::uint64_t born_ = 0;
};

using OperationPointer = c10::intrusive_ptr<OperationUnderWay>;

}  // namespace tutti::torch_backend

/// @file
/// Measured communicator: adapter that lets the measuring loop call tutti.
#pragma once

#include "measure/buffers.hpp"
#include "tutti/tutti.hpp"

namespace tutti {

/// Memory of the buffers: the C++ library's (plain), or that of Communicator::allocate (library).
enum class MeasuredMemory { plain, library };

/// Communicator as the measuring loop needs it. Calls tutti as a program would: blocking calls on spans, no plan made
/// ahead.
class MeasuredCommunicator {
 public:
  /// `algorithm` as in CollectiveOptions; empty: tutti's own choice. It must outlive this object. Elements are added;
  /// where the operator is not `commutative`, by one of the program's own, which combines in the order of ranks.
  explicit MeasuredCommunicator(Communicator& comm, MeasuredMemory memory, std::string_view algorithm = {},
                                bool commutative = true)
      : comm_(comm), memory_(memory), options_{.algorithm = algorithm}, commutative_(commutative) {}

  int rank() const { return comm_.rank(); }
  int size() const { return comm_.size(); }
  void barrier() { comm_.barrier(); }
  void max_over_ranks(std::span<double> values) { comm_.all_reduce(values, maximum); }

  void call(Collective collective, std::span<double> in, std::span<double> out) {
    switch (collective) {
      case Collective::broadcast:
        return comm_.broadcast(out, 0, options_);
      case Collective::scatter:
        return comm_.scatter(in, out, 0, options_);
      case Collective::gather:
        return comm_.gather(in, out, 0, options_);
      case Collective::all_gather:
        return comm_.all_gather(in, out, options_);
      case Collective::all_to_all:
        return comm_.all_to_all(in, out, options_);
      case Collective::barrier:
        return comm_.barrier(options_);
      default:
        return commutative_ ? combine(collective, in, out, sum) : combine(collective, in, out, SumInOrder());
    }
  }

  std::shared_ptr<double> allocate(std::size_t count) {
    if (memory_ == MeasuredMemory::plain) return measure::plain_memory(count);
    const auto held = std::make_shared<Memory<double>>(comm_.allocate<double>(count));
    return {held, held->data()};
  }

 private:
  // An operator of a program's own, of which tutti does not know that a + b is b + a.
  struct SumInOrder {
    double operator()(double a, double b) const { return a + b; }
  };

  template <typename Op>
  void combine(Collective collective, std::span<double> in, std::span<double> out, const Op& op) {
    switch (collective) {
      case Collective::reduce:
        return comm_.reduce(in, out, op, 0, options_);
      case Collective::all_reduce:
        return comm_.all_reduce(in, out, op, options_);
      case Collective::reduce_scatter:
        return comm_.reduce_scatter(in, out, op, options_);
      default:
        return comm_.scan(in, out, op, options_);
    }
  }

  Communicator& comm_;
  MeasuredMemory memory_;
  CollectiveOptions options_;
  bool commutative_;
};

}  // namespace tutti

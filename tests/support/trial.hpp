/// @file
/// One rank's part in checking one collective, down to the bytes around its buffers.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "schedule/model/problem_blocks.hpp"
#include "support/collective_calls.hpp"
#include "support/reference.hpp"
#include "support/values.hpp"

namespace tutti::testing {

enum class Form : std::uint8_t { blocking, async, plan };

/// Inputs and outputs of this rank for one problem, with margins that nothing may write.
template <typename T, typename Op>
class Trial {
 public:
  /// `reference` combines as `op` does.
  Trial(const Problem& problem, int rank, std::uint64_t seed, Op op, CollectiveOptions options,
        std::function<T(const T&, const T&)> reference)
      : problem_(problem), rank_(rank), op_(op), options_(std::move(options)), reference_(std::move(reference)) {
    fill(seed);
  }

  /// Fresh contents: other contributions, the same buffers.
  void fill(std::uint64_t seed) {
    inputs_.clear();
    for (int r = 0; r < problem_.ranks; ++r) inputs_.push_back(contributions<T>(seed, r, input_size(problem_, r)));
    untouched_ = contribution<T>(~seed, rank_, -1);
    const auto size = static_cast<std::size_t>(output_size());
    output_.assign(size + 2 * margin, untouched_);
    const bool starts_in_output =
        problem_.in_place || (problem_.collective == Collective::broadcast && rank_ == problem_.root);
    input_ = mine();
    if (starts_in_output) std::copy(input_.begin(), input_.end(), output_.begin() + margin);
  }

  Setting<T, Op> setting() {
    const std::span<T> out = std::span<T>(output_).subspan(margin, static_cast<std::size_t>(output_size()));
    return testing::setting<T, Op>(problem_, rank_, std::span<const T>(input_), out, op_, options_);
  }

  void run(Communicator& comm, Form form) {
    const auto s = setting();
    if (form == Form::blocking) return call(comm, s);
    if (form == Form::async) return call_async(comm, s).wait();
    make_plan(comm, s).run();
  }

  void check() const {
    std::vector<T> wanted(output_.size(), untouched_);
    if (const auto result = expected(problem_, inputs_, rank_, reference_)) {
      std::copy(result->begin(), result->end(), wanted.begin() + margin);
    } else if (problem_.in_place) {
      std::copy(mine().begin(), mine().end(), wanted.begin() + margin);
    }
    if (output_ == wanted && input_ == mine()) return;
    ADD_FAILURE() << describe(problem_) << ", algorithm " << options_.algorithm << ", rank " << rank_ << ": "
                  << (input_ == mine() ? "" : "the input was written; ") << first_difference(wanted);
  }

 private:
  static constexpr std::size_t margin = 3;

  const std::vector<T>& mine() const { return inputs_[static_cast<std::size_t>(rank_)]; }
  std::int64_t output_size() const {
    return problem_.in_place ? problem_.count : output_blocks(problem_, rank_).total();
  }
  std::string first_difference(const std::vector<T>& wanted) const {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (!(wanted[i] == output_[i])) {
        return "element " + std::to_string(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(margin)) +
               " of the output differs";
      }
    }
    return "the output is right";
  }

  Problem problem_;
  int rank_;
  Op op_;
  CollectiveOptions options_;
  std::function<T(const T&, const T&)> reference_;
  std::vector<std::vector<T>> inputs_;
  std::vector<T> input_;
  std::vector<T> output_;
  T untouched_{};
};

}  // namespace tutti::testing

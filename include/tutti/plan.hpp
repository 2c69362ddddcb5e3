/// @file
/// A collective that is prepared once and run often.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tutti/detail/export.hpp"
#include "tutti/handle.hpp"

namespace tutti {

namespace runtime {
class CollectiveOperation;
}  // namespace runtime

/// A collective bound to its buffers: shapes checked, algorithm chosen, schedule recorded, scratch allocated.
///
/// Making a plan is local. Starting it is the collective call: every rank starts its plan (or makes the plain call that
/// matches it) in the same order. The buffers must live as long as the plan; their contents are read anew at each
/// start. One that was moved from may be destroyed or assigned to, and nothing else.
class TUTTI_API Plan {
 public:
  Plan(std::shared_ptr<runtime::CollectiveOperation> operation, std::shared_ptr<runtime::ProgressEngine> engine);
  Plan(Plan&&) noexcept = default;
  Plan& operator=(Plan&&) noexcept = default;
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  ~Plan();

  /// Begins one run. Throws `Error(invalid_argument)` while the last one is not waited for, by wait(), by a test() that
  /// says it is done, or by Communicator::wait_all(), and the error of a communicator that has failed. Cost: that of
  /// the call, without its look-up.
  void start();
  /// Completes the run that was started; nothing where there is none. Errors and cost: as Handle::wait().
  void wait();
  /// Makes progress, and says whether the run is done. Errors and cost: as Handle::test().
  bool test();
  /// start() and wait(). Errors and cost: as both.
  void run();
  void operator()() { run(); }

  /// Returns the algorithm that was chosen; where counts travel at each start, as for an all_to_all_v by an algorithm
  /// that passes blocks on, that of the last run. No errors. Cost: a look-up.
  std::string_view algorithm() const;
  /// Returns why: what was asked, by which costs, every algorithm that fits with what it is predicted to take, and a
  /// sentence on the choice. As `TUTTI_EXPLAIN=1` prints it for every new plan. Where counts travel, before the first
  /// run, which tells them, a sentence that says so. No errors. Cost: as long as some hundred choices, at each call.
  std::string explanation() const;

 private:
  /// Begins, and looks so often for what does not come at once before that becomes wait()'s.
  void begin(int looks);

  std::shared_ptr<runtime::ProgressEngine> engine_;
  std::shared_ptr<runtime::CollectiveOperation> operation_;
  Handle handle_;
  /// While the last run is not waited for, 1 more than how often all of the communicator's operations had been; else 0.
  std::uint64_t started_ = 0;
};

}  // namespace tutti

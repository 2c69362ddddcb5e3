/// @file
/// Schedules of what the ranks of a program have done.

#include <algorithm>
#include <map>

#include "schedule/record/script.hpp"
#include "user_programs/language/joint_run.hpp"
#include "user_programs/user_actions.hpp"

namespace tutti::language {
namespace {

// Elements of what each rank sends to another, in order.
using SentElements = std::map<std::pair<int, int>, std::vector<std::int64_t>>;

SentElements elements_sent(const std::vector<std::vector<RankStep>>& steps) {
  SentElements sent;
  for (std::size_t rank = 0; rank < steps.size(); ++rank) {
    for (const RankStep& step : steps[rank]) {
      for (const RankAction& action : step.messages) {
        if (action.kind == ActionKind::send)
          sent[{static_cast<int>(rank), action.peer}].push_back(Slices(action.slices).elements());
      }
    }
  }
  return sent;
}

/// Records what one rank has done.
class StepRecorder {
 public:
  StepRecorder(Script& me, const SentElements& sent, std::int64_t scratch, std::vector<int>& lines)
      : me_(me), sent_(sent), scratch_(scratch), lines_(lines) {
    if (scratch > 0) me.scratch(0, scratch);
  }

  void record(const RankStep& step) {
    if (!step.alone.empty()) {
      me_.chain([&] {
        for (const RankAction& action : step.alone) record(action);
      });
      end(step);
    }
    for (const RankAction& action : step.messages) record(action);
    if (!step.messages.empty()) end(step);
  }

 private:
  void end(const RankStep& step) {
    me_.wait();
    lines_.push_back(step.line);
  }

  void record(const RankAction& action) {
    switch (action.kind) {
      case ActionKind::send:
        return me_.send(action.slices, action.peer);
      case ActionKind::receive:
        return me_.receive(sized(action), action.peer);
      case ActionKind::copy:
        return me_.copy(action.slices, action.operand);
      case ActionKind::reduce:
        return me_.reduce(action.slices, action.operand, action.second);
    }
  }

  // A receive without which the rank has gone on is as long as the send that it is to meet.
  Message sized(const RankAction& action) {
    const std::size_t number = received_[action.peer]++;
    const auto found = sent_.find({action.peer, me_.rank()});
    if (found == sent_.end() || number >= found->second.size()) return action.slices;
    const std::int64_t elements = found->second[number];
    if (elements == Slices(action.slices).elements()) return action.slices;
    scratch_ += elements;
    return {me_.scratch(scratch_ - elements, elements)};
  }

  Script& me_;
  const SentElements& sent_;
  std::int64_t scratch_;
  std::vector<int>& lines_;
  std::map<int, std::size_t> received_;
};

}  // namespace

Schedule schedule_of_steps(const Problem& problem, const std::vector<std::vector<RankStep>>& steps,
                           const std::vector<std::int64_t>& scratch, std::vector<std::vector<int>>& lines) {
  const SentElements sent = elements_sent(steps);
  lines.assign(steps.size(), {});
  return record_all(
      [&](Script& me, const Problem&) {
        const auto rank = static_cast<std::size_t>(me.rank());
        StepRecorder recorder(me, sent, scratch[rank], lines[rank]);
        for (const RankStep& step : steps[rank]) recorder.record(step);
      },
      problem);
}

Schedule schedule_of_bare_messages(const std::vector<std::vector<RankStep>>& steps,
                                   std::vector<std::vector<int>>& lines) {
  UserActions actions(steps.size());
  lines.assign(steps.size(), {});
  for (std::size_t rank = 0; rank < steps.size(); ++rank) {
    for (const RankStep& step : steps[rank]) {
      for (const RankAction& action : step.messages) {
        const bool sends = action.kind == ActionKind::send;
        actions[rank].push_back(
            {sends ? UserAction::Kind::send : UserAction::Kind::receive, action.peer, action.bytes});
      }
      if (!step.messages.empty()) lines[rank].push_back(step.line);
      actions[rank].push_back({});
    }
  }
  return schedule_of(std::move(actions));
}

namespace {

// Combines so many elements of scratch behind what the program has there.
void combine(Program& program, std::int64_t elements, bool ends_step) {
  Op op{.kind = OpKind::reduce, .ends_step = ends_step};
  op.at = static_cast<std::uint32_t>(program.pool.size());
  op.slices = op.operand = op.second = 1;
  program.pool.insert(program.pool.end(), 3, Slice{Buffer::scratch, program.scratch, elements});
  program.ops.push_back(op);
}

// Steps of the schedule that the rank's step has become.
std::size_t schedule_steps(const RankStep& step) {
  return (step.alone.empty() ? 0U : 1U) + (step.messages.empty() ? 0U : 1U);
}

Program with_operations(const Program& program, const std::vector<RankStep>& steps) {
  Program timed{.ops = {}, .pool = program.pool, .scratch = program.scratch};
  std::int64_t most = 0;
  std::size_t at = 0;
  for (const RankStep& step : steps) {
    most = std::max({most, step.operations_before, step.operations_beside});
    if (step.operations_before > 0) combine(timed, step.operations_before, true);
    for (std::size_t k = schedule_steps(step); k > 0 && at < program.ops.size(); --k) {
      const std::size_t end = program.step_end(at);
      timed.ops.insert(timed.ops.end(), program.ops.begin() + static_cast<std::ptrdiff_t>(at),
                       program.ops.begin() + static_cast<std::ptrdiff_t>(end));
      at = end;
      if (k > 1 || step.operations_beside == 0) continue;
      timed.ops.back().ends_step = false;
      combine(timed, step.operations_beside, true);
    }
  }
  timed.scratch += most;
  return timed;
}

}  // namespace

std::optional<Schedule> with_operations(const Schedule& schedule, const std::vector<std::vector<RankStep>>& steps) {
  const auto computes = [](const std::vector<RankStep>& mine) {
    return std::any_of(mine.begin(), mine.end(), [](const RankStep& step) { return step.operations() > 0; });
  };
  if (std::none_of(steps.begin(), steps.end(), computes)) return std::nullopt;
  Schedule timed{.problem = schedule.problem, .programs = {}, .layout = schedule.layout};
  for (std::size_t rank = 0; rank < steps.size(); ++rank)
    timed.programs.push_back(with_operations(schedule.programs[rank], steps[rank]));
  return timed;
}

}  // namespace tutti::language

/// @file
/// Ranks that run virtual processes besides their own.
///
/// A program for 2^d processes, or r^2, runs on fewer ranks p where processes from p on are virtual: process v is run by
/// rank v mod p. A virtual process has no input and no output; what it is to pass on it passes on as others do. Messages
/// without a block are not sent.

#include <algorithm>
#include <map>
#include <tuple>

#include "user_programs/language/joint_run.hpp"

namespace tutti::language {
namespace {

/// Round of each step of each process, so that a message's two ends are in one.
class Rounds {
 public:
  explicit Rounds(const std::vector<RankRun>& runs) {
    std::map<std::pair<int, int>, std::vector<std::pair<std::size_t, std::size_t>>> sends;
    for (std::size_t process = 0; process < runs.size(); ++process) {
      rounds_.emplace_back(runs[process].steps().size());
      for (std::size_t step = 0; step < runs[process].steps().size(); ++step) {
        rounds_.back()[step] = static_cast<int>(step);
        for (const RankAction& action : runs[process].steps()[step].messages) {
          if (action.kind == ActionKind::send)
            sends[{static_cast<int>(process), action.peer}].emplace_back(process, step);
        }
      }
    }
    for (std::size_t process = 0; process < runs.size(); ++process) {
      std::map<int, std::size_t> received;
      for (std::size_t step = 0; step < runs[process].steps().size(); ++step) {
        for (const RankAction& action : runs[process].steps()[step].messages) {
          if (action.kind != ActionKind::receive) continue;
          const auto& from = sends[{action.peer, static_cast<int>(process)}];
          const std::size_t number = received[action.peer]++;
          if (number < from.size()) ends_.push_back({from[number], {process, step}});
        }
      }
    }
    settle();
  }

  int of(std::size_t process, std::size_t step) const { return rounds_[process][step]; }

 private:
  using Place = std::pair<std::size_t, std::size_t>;  // process and step

  int& at(const Place& place) { return rounds_[place.first][place.second]; }

  // Steps move to later rounds until both ends of each message are in one. Where processes wait for one another in a
  // circle that never ends, and the proof says so.
  void settle() {
    std::size_t most = 1;
    for (const std::vector<int>& each : rounds_) most += each.size();
    bool moved = true;
    for (std::size_t turn = 0; moved && turn < most; ++turn) {
      moved = false;
      for (const auto& [send, receive] : ends_) {
        const int later = std::max(at(send), at(receive));
        moved = moved || at(send) != later || at(receive) != later;
        at(send) = at(receive) = later;
      }
      for (std::vector<int>& each : rounds_) {
        for (std::size_t step = 1; step < each.size(); ++step) each[step] = std::max(each[step], each[step - 1] + 1);
      }
    }
  }

  std::vector<std::vector<int>> rounds_;
  std::vector<std::pair<Place, Place>> ends_;
};

// Moves what lies in scratch behind what the host's own process has there.
void move_scratch(RankAction& action, std::int64_t by) {
  for (Message* message : {&action.slices, &action.operand, &action.second}) {
    for (Slice& slice : *message) slice.first += slice.buffer == Buffer::scratch ? by : 0;
  }
}

/// Message of a process, with the numbers of both.
struct ProcessMessage {
  int from = 0;
  int to = 0;
  RankAction action;
};

/// Merges the steps of the processes that one rank runs.
class HostSteps {
 public:
  HostSteps(int host, int real) : host_(host), real_(real) {}

  void add(int process, const RankStep& step, int round, std::int64_t scratch_before) {
    RankStep& whole = steps_[round];
    whole.line = std::max(whole.line, step.line);
    whole.operations_before += step.operations_before;
    whole.operations_beside += step.operations_beside;
    for (RankAction action : step.alone) {
      move_scratch(action, scratch_before);
      whole.alone.push_back(std::move(action));
    }
    for (RankAction action : step.messages) {
      move_scratch(action, scratch_before);
      const bool receives = action.kind == ActionKind::receive;
      const int peer = action.peer;
      messages_[round].push_back({receives ? peer : process, receives ? process : peer, std::move(action)});
    }
  }

  std::vector<RankStep> merged() {
    std::vector<RankStep> all;
    for (auto& [round, step] : steps_) {
      add_messages(step, messages_[round]);
      all.push_back(std::move(step));
    }
    return all;
  }

 private:
  // In the order of processes, which is one for both ends; what the rank sends to itself is copied.
  void add_messages(RankStep& step, std::vector<ProcessMessage>& messages) const {
    std::stable_sort(messages.begin(), messages.end(), [](const ProcessMessage& a, const ProcessMessage& b) {
      return std::tie(a.from, a.to) < std::tie(b.from, b.to);
    });
    for (ProcessMessage& each : messages) {
      if (each.action.kind == ActionKind::copy) {
        step.messages.push_back(std::move(each.action));
        continue;
      }
      const int peer = host_of(each.action.peer, real_);
      if (peer == host_) {
        if (each.action.kind == ActionKind::receive) copy(step, each, messages);
        continue;
      }
      each.action.peer = peer;
      step.messages.push_back(std::move(each.action));
    }
  }

  static void copy(RankStep& step, const ProcessMessage& receive, const std::vector<ProcessMessage>& messages) {
    const auto send = std::find_if(messages.begin(), messages.end(), [&](const ProcessMessage& other) {
      return other.action.kind == ActionKind::send && other.from == receive.from && other.to == receive.to;
    });
    if (send == messages.end()) return;
    step.messages.push_back(
        {.kind = ActionKind::copy, .slices = receive.action.slices, .operand = send->action.slices});
  }

  int host_;
  int real_;
  std::map<int, RankStep> steps_;  // by round
  std::map<int, std::vector<ProcessMessage>> messages_;
};

}  // namespace

int host_of(int process, int real) { return process % real; }

std::vector<std::vector<RankStep>> steps_of_ranks(const std::vector<RankRun>& runs, int real) {
  std::vector<std::vector<RankStep>> all;
  if (static_cast<int>(runs.size()) == real) {
    for (const RankRun& run : runs) all.push_back(run.steps());
    return all;
  }
  const Rounds rounds(runs);
  std::vector<HostSteps> hosts;
  for (int rank = 0; rank < real; ++rank) hosts.emplace_back(rank, real);
  for (std::size_t process = 0; process < runs.size(); ++process) {
    const int host = host_of(static_cast<int>(process), real);
    const bool is_virtual = host != static_cast<int>(process);
    const std::int64_t before = is_virtual ? runs[static_cast<std::size_t>(host)].scratch() : 0;
    for (std::size_t step = 0; step < runs[process].steps().size(); ++step)
      hosts[static_cast<std::size_t>(host)].add(static_cast<int>(process), runs[process].steps()[step],
                                                rounds.of(process, step), before);
  }
  for (HostSteps& host : hosts) all.push_back(host.merged());
  return all;
}

}  // namespace tutti::language

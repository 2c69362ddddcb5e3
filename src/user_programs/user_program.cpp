#include "user_programs/user_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>

#include "base/check.hpp"
#include "base/units.hpp"
#include "schedule/record/script.hpp"
#include "schedule_file/msccl.hpp"
#include "schedule_file/schedule_file.hpp"
#include "user_programs/user_actions.hpp"
#include "verify/observe.hpp"

namespace tutti {
namespace {

// The sizes of what a rank sends to another, in order.
using SentSizes = std::map<std::pair<int, int>, std::vector<std::int64_t>>;

SentSizes sizes_sent(const UserActions& actions) {
  SentSizes sizes;
  for (std::size_t rank = 0; rank < actions.size(); ++rank) {
    for (const UserAction& action : actions[rank]) {
      if (action.kind == UserAction::Kind::send) sizes[{static_cast<int>(rank), action.peer}].push_back(action.bytes);
    }
  }
  return sizes;
}

// Gives receives without a size that of the send which they meet; where there is none, one byte.
void size_receives(UserActions& actions) {
  const SentSizes sizes = sizes_sent(actions);
  for (std::size_t rank = 0; rank < actions.size(); ++rank) {
    std::map<int, std::size_t> received;
    for (UserAction& action : actions[rank]) {
      if (action.kind != UserAction::Kind::receive) continue;
      const std::size_t number = received[action.peer]++;
      if (action.bytes > 0) continue;
      const auto sent = sizes.find({action.peer, static_cast<int>(rank)});
      action.bytes = sent != sizes.end() && number < sent->second.size() ? sent->second[number] : 1;
    }
  }
}

// Throws for sizes with which what a rank receives, or what all links carry, overflows.
void check_sizes(const UserActions& actions, const Problem& problem) {
  const auto largest = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(largest_count(problem))));
  const std::int64_t most = largest * problem.ranks;
  std::int64_t left_to_send = most;
  std::int64_t left_to_receive = most;
  for (const std::vector<UserAction>& mine : actions) {
    for (const UserAction& action : mine) {
      require(action.bytes <= largest, "a message over {} has at most {}, not {}", counted(problem.ranks, "rank"),
              text_of(Bytes{largest}), text_of(Bytes{action.bytes}));
      std::int64_t& left = action.kind == UserAction::Kind::send ? left_to_send : left_to_receive;
      require(action.bytes <= left, "messages over {} have at most {} in all; send fewer or smaller ones",
              counted(problem.ranks, "rank"), text_of(Bytes{most}));
      left -= action.bytes;
    }
  }
}

void record_actions(Script& me, const std::vector<UserAction>& actions) {
  std::map<int, int> received;
  std::int64_t scratch = 0;
  for (const UserAction& action : actions) {
    switch (action.kind) {
      case UserAction::Kind::wait:
        me.wait();
        break;
      case UserAction::Kind::send:
        me.send(Slice{Buffer::input, 0, action.bytes}, action.peer);
        break;
      case UserAction::Kind::receive:
        if (received[action.peer]++ == 0) {
          me.receive(Slice{Buffer::output, me.output(action.peer).first, action.bytes}, action.peer);
        } else {
          me.receive(me.scratch(scratch, action.bytes), action.peer);
          scratch += action.bytes;
        }
        break;
    }
  }
  me.wait();
}

struct UserMessage {
  int from = 0;
  int to = 0;
  double start = 0;
  std::int64_t bytes = 0;
};

UserMessage parse_message(const std::string& word, int ranks, std::int64_t bytes) {
  const std::size_t dash = word.find('-');
  const std::size_t end = std::min(word.find_first_of("@:"), word.size());
  require(dash != std::string::npos && dash < end, "'{}' is no message; write it like 1-6, 4-7@2us or 4-7@2us:64KiB",
          word);
  UserMessage message{.bytes = bytes};
  message.from =
      static_cast<int>(parse_integer(word.substr(0, dash), fmt::format("the sender of '{}'", word), 0, ranks - 1));
  message.to = static_cast<int>(
      parse_integer(word.substr(dash + 1, end - dash - 1), fmt::format("the receiver of '{}'", word), 0, ranks - 1));
  require(message.from != message.to, "the message '{}' goes nowhere; name two ranks", word);
  const std::size_t colon = word.find(':');
  if (colon != std::string::npos) message.bytes = parse_message_size(word.substr(colon + 1));
  const std::size_t at = word.find('@');
  if (at != std::string::npos && at < colon) message.start = parse_seconds(word.substr(at + 1, colon - at - 1)).count;
  return message;
}

class NobodyLooks final : public proof::Observer {
 public:
  void run_begins(const proof::Execution&) override {}
  void message_passes(proof::OpPosition, proof::OpPosition, std::span<const proof::Piece>) override {}
  void step_ends(int, std::size_t) override {}
};

}  // namespace

Schedule schedule_of(UserActions actions) {
  size_receives(actions);
  Problem problem{.collective = Collective::all_gather, .ranks = static_cast<int>(actions.size()), .count = 1};
  check(problem);
  check_sizes(actions, problem);
  for (const auto& mine : actions) {
    for (const UserAction& action : mine) problem.count = std::max(problem.count, action.bytes);
  }
  return record_all(
      [&](Script& me, const Problem&) { record_actions(me, actions[static_cast<std::size_t>(me.rank())]); }, problem);
}

std::int64_t parse_message_size(std::string_view text) {
  const std::int64_t bytes = parse_bytes(text).count;
  require(bytes >= 1, "a message has at least one byte, not {}", text);
  return bytes;
}

UserProgram program_of_messages(const std::vector<std::string>& words, int ranks, std::int64_t bytes) {
  require(!words.empty(), "there are no messages; write them like 1-6 or 4-7@2us:64KiB");
  UserProgram program;
  UserActions actions(static_cast<std::size_t>(ranks));
  std::vector<int> sends(actions.size());
  for (const std::string& word : words) {
    const UserMessage message = parse_message(word, ranks, bytes);
    const auto from = static_cast<std::size_t>(message.from);
    if (message.start > 0) program.releases.push_back({message.from, sends[from], message.start});
    ++sends[from];
    actions[from].push_back({UserAction::Kind::send, message.to, message.bytes});
    actions[static_cast<std::size_t>(message.to)].push_back({UserAction::Kind::receive, message.from, message.bytes});
  }
  program.title =
      fmt::format("{} over {}", counted(static_cast<std::int64_t>(words.size()), "message"), counted(ranks, "rank"));
  program.schedule = schedule_of(std::move(actions));
  return program;
}

UserProgram program_of_schedule(std::string_view text, const std::string& name, std::optional<std::int64_t> bytes) {
  const bool msccl = name.ends_with(".xml");
  require(msccl || !bytes, "a schedule says itself how long its messages are; leave --count and --bytes out");
  UserProgram program;
  if (!msccl) {
    program.schedule = read_schedule(text, name);
    program.solves_problem = true;
  } else {
    MscclFile file = read_msccl_file(text, name, bytes.value_or(0));
    program.schedule = std::move(file.schedule);
    program.solves_problem = !file.is_custom;
    program.notes = std::move(file.notes);
  }
  program.title = program.solves_problem
                      ? describe(program.schedule.problem)
                      : fmt::format("custom collective over {}", counted(program.schedule.problem.ranks, "rank"));
  return program;
}

std::optional<ProofFailure> failure_of(const UserProgram& program) {
  if (program.trace.fault) return program.trace.fault;
  if (program.solves_problem) return verify(program.schedule).failure;
  NobodyLooks nobody;
  return proof::observe(program.schedule, nobody);
}

bool is_of_bits_alone(const ProofFailure& failure) { return failure.kind == ProofFailure::Kind::not_identical; }

std::string note_on_bits(const ProofFailure& failure, const std::string& file) {
  return fmt::format(
      "{}: rank {} combines {} in another order than rank 0, so that their bits may differ; all else is "
      "proved",
      file, failure.rank, failure.slice);
}

}  // namespace tutti

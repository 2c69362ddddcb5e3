#include "app/own_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>

#include "app/network.hpp"
#include "app/own_actions.hpp"
#include "app/procedures.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "schedule/script.hpp"
#include "schedule_file/msccl.hpp"
#include "schedule_file/schedule_file.hpp"

namespace tutti::app {
namespace {

constexpr std::int64_t usual_bytes = 1024;

// The sizes of what a rank sends to another, in order.
using SentSizes = std::map<std::pair<int, int>, std::vector<std::int64_t>>;

SentSizes sizes_sent(const Actions& actions) {
  SentSizes sizes;
  for (std::size_t rank = 0; rank < actions.size(); ++rank) {
    for (const Action& action : actions[rank]) {
      if (action.kind == Action::Kind::send) sizes[{static_cast<int>(rank), action.peer}].push_back(action.bytes);
    }
  }
  return sizes;
}

// Gives receives without a size that of the send which they meet; where there is none, one byte.
void size_receives(Actions& actions) {
  const SentSizes sizes = sizes_sent(actions);
  for (std::size_t rank = 0; rank < actions.size(); ++rank) {
    std::map<int, std::size_t> received;
    for (Action& action : actions[rank]) {
      if (action.kind != Action::Kind::receive) continue;
      const std::size_t number = received[action.peer]++;
      if (action.bytes > 0) continue;
      const auto sent = sizes.find({action.peer, static_cast<int>(rank)});
      action.bytes = sent != sizes.end() && number < sent->second.size() ? sent->second[number] : 1;
    }
  }
}

// So that neither what a rank receives nor what all links carry overflows.
void check_sizes(const Actions& actions, const Problem& problem) {
  const auto largest = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(largest_count(problem))));
  const std::int64_t most = largest * problem.ranks;
  std::int64_t left_to_send = most;
  std::int64_t left_to_receive = most;
  for (const std::vector<Action>& mine : actions) {
    for (const Action& action : mine) {
      require(action.bytes <= largest, "a message over {} has at most {}, not {}", counted(problem.ranks, "rank"),
              text_of(Bytes{largest}), text_of(Bytes{action.bytes}));
      std::int64_t& left = action.kind == Action::Kind::send ? left_to_send : left_to_receive;
      require(action.bytes <= left, "messages over {} have at most {} in all; send fewer or smaller ones",
              counted(problem.ranks, "rank"), text_of(Bytes{most}));
      left -= action.bytes;
    }
  }
}

void record_actions(Script& me, const std::vector<Action>& actions) {
  std::map<int, int> received;
  std::int64_t scratch = 0;
  for (const Action& action : actions) {
    switch (action.kind) {
      case Action::Kind::wait:
        me.wait();
        break;
      case Action::Kind::send:
        me.send(Slice{Buffer::input, 0, action.bytes}, action.peer);
        break;
      case Action::Kind::receive:
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

struct OwnMessage {
  int from = 0;
  int to = 0;
  double start = 0;
  std::int64_t bytes = 0;
};

OwnMessage parse_message(const std::string& word, int ranks, std::int64_t bytes) {
  const std::size_t dash = word.find('-');
  const std::size_t end = std::min(word.find_first_of("@:"), word.size());
  require(dash != std::string::npos && dash < end, "'{}' is no message; write it like 1-6, 4-7@2us or 4-7@2us:64KiB",
          word);
  OwnMessage message{.bytes = bytes};
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

const Procedure* procedure_of(const Request& request) {
  const bool named = request.own == OwnKind::program && request.own_words.size() == 1;
  return named ? procedure_named(request.own_words.front()) : nullptr;
}

}  // namespace

Schedule schedule_of(Actions actions) {
  size_receives(actions);
  Problem problem{.collective = Collective::all_gather, .ranks = static_cast<int>(actions.size()), .count = 1};
  check(problem);
  check_sizes(actions, problem);
  for (const auto& mine : actions) {
    for (const Action& action : mine) problem.count = std::max(problem.count, action.bytes);
  }
  return record_all(
      [&](Script& me, const Problem&) { record_actions(me, actions[static_cast<std::size_t>(me.rank())]); }, problem);
}

std::int64_t parse_message_size(std::string_view text) {
  const std::int64_t bytes = parse_bytes(text).count;
  require(bytes >= 1, "a message has at least one byte, not {}", text);
  return bytes;
}

OwnProgram program_of_messages(const std::vector<std::string>& words, int ranks, std::int64_t bytes) {
  require(!words.empty(), "there are no messages; write them like 1-6 or 4-7@2us:64KiB");
  OwnProgram program;
  Actions actions(static_cast<std::size_t>(ranks));
  std::vector<int> sends(actions.size());
  for (const std::string& word : words) {
    const OwnMessage message = parse_message(word, ranks, bytes);
    const auto from = static_cast<std::size_t>(message.from);
    if (message.start > 0) program.releases.push_back({message.from, sends[from], message.start});
    ++sends[from];
    actions[from].push_back({Action::Kind::send, message.to, message.bytes});
    actions[static_cast<std::size_t>(message.to)].push_back({Action::Kind::receive, message.from, message.bytes});
  }
  program.title =
      fmt::format("{} over {}", counted(static_cast<std::int64_t>(words.size()), "message"), counted(ranks, "rank"));
  program.schedule = schedule_of(std::move(actions));
  return program;
}

OwnProgram program_of_schedule(std::string_view text, const std::string& name, std::optional<std::int64_t> bytes) {
  const bool msccl = name.ends_with(".xml");
  require(msccl || !bytes, "a schedule says itself how long its messages are; leave --count and --bytes out");
  OwnProgram program;
  program.schedule = msccl ? read_msccl(text, name, bytes.value_or(0)) : read_schedule(text, name);
  program.title = describe(program.schedule.problem);
  program.solves_problem = true;
  return program;
}

OwnProgram own_program(const Request& request) {
  require(!request.algorithm, "messages and programs are no algorithm's; leave --algorithm out");
  const Procedure* procedure = procedure_of(request);
  require(!(request.root && procedure == nullptr) && !request.distance && !request.nodes,
          "--root, --distance and --nodes are of collectives; leave them out");
  require(!request.counts && !request.segments && !request.non_commutative && !request.radix,
          "--counts, --segments, --radix and --non-commutative are of collectives; leave them out");
  require(!request.ranks || request.ranks->first == request.ranks->last, "one number of ranks is needed, not a range");
  const int ranks = request.ranks ? request.ranks->first : 0;
  const std::int64_t bytes = request.count.value_or(usual_bytes);
  require(bytes >= 1, "a message has at least one byte, not {}", bytes);
  if (request.own == OwnKind::messages) {
    require(ranks > 0, "a network is needed, or a number of ranks: --topology linear:8 or --ranks 8");
    return program_of_messages(request.own_words, ranks, bytes);
  }
  const bool schedule = request.own == OwnKind::schedule;
  require(request.own_words.size() == 1, "a {0} is one file, such as: tutti verify {0} {1}",
          schedule ? "schedule" : "program", schedule ? "ring.json" : "exchange.txt");
  if (procedure != nullptr)
    return program_of_procedure(*procedure, ranks > 0 ? ranks : usual_ranks(*procedure), request.root.value_or(0),
                                bytes);
  const std::string& file = request.own_words.front();
  if (schedule) {
    OwnProgram program = program_of_schedule(read_file(file), file, request.count);
    require(ranks == 0 || ranks == program.schedule.problem.ranks, "{} is over {}, not over {}", file,
            counted(program.schedule.problem.ranks, "rank"), ranks);
    return program;
  }
  return program_of_text(read_file(file), file, ranks, bytes);
}

}  // namespace tutti::app

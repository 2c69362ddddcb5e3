/// @file
/// Programs of sends, receives and waits as text.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "app/own_actions.hpp"
#include "app/own_program.hpp"
#include "base/check.hpp"
#include "base/units.hpp"

namespace tutti::app {
namespace {

constexpr int most_ranks = 1 << 16;

// The text between blanks.
std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1));
}

std::vector<std::string> parts(std::string_view text, char separator) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    found.push_back(trimmed(text.substr(at, end - at)));
    at = end + 1;
  }
  return found;
}

/// Reads a program's text.
class ProgramReader {
 public:
  ProgramReader(const std::string& name, int ranks, std::int64_t bytes) : name_(name), asked_(ranks), bytes_(bytes) {}

  OwnProgram read(std::string_view text) {
    for (const std::string& line : parts(text, '\n')) {
      ++number_;
      read_line(trimmed(line.substr(0, line.find('#'))));
    }
    settle_ranks();
    OwnProgram program;
    Actions actions(static_cast<std::size_t>(ranks_));
    program.texts.resize(actions.size());
    for (const Line& line : lines_) {
      number_ = line.number;
      for (int rank = 0; rank < ranks_; ++rank) {
        if (!is_meant(line.ranks, rank)) continue;
        std::string& mine = program.texts[static_cast<std::size_t>(rank)];
        mine += (mine.empty() ? "" : "; ") + line.actions;
        for (const std::string& action : parts(line.actions, ';')) {
          if (!action.empty()) actions[static_cast<std::size_t>(rank)].push_back(parse_action(action, rank));
        }
      }
    }
    program.title = fmt::format("{} over {}", name_, counted(ranks_, "rank"));
    program.schedule = schedule_of(std::move(actions));
    return program;
  }

 private:
  struct Line {
    int number = 0;
    std::string ranks;
    std::string actions;
  };

  template <typename... Values>
  void expect(bool holds, fmt::format_string<Values...> sentence, Values&&... values) const {
    if (!holds)
      fail(ErrorCode::invalid_argument, "{}, line {}: {}", name_, number_,
           fmt::format(sentence, std::forward<Values>(values)...));
  }

  int rank_in(const std::string& text) const {
    expect(!text.empty() && text.find_first_not_of("0123456789") == std::string::npos && text.size() <= 5,
           "'{}' is no rank", text);
    const int rank = std::stoi(text);
    expect(rank < most_ranks, "ranks go up to {}, not {}", most_ranks - 1, rank);
    return rank;
  }

  void read_line(const std::string& line) {
    if (line.empty()) return;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) {
      expect(line.starts_with("ranks "), "'{}' is no line of a program; write 'ranks 4', or '0: send 1 4KiB; wait'",
             line);
      expect(said_ == 0, "the number of ranks stands in an earlier line, too; leave one of the two out");
      said_ = rank_in(trimmed(line.substr(6)));
      expect(said_ > 0, "a program needs at least one rank");
      return;
    }
    lines_.push_back({number_, trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1))});
    note_ranks(lines_.back());
  }

  // Every number that stands for a rank makes it one of the program's.
  void note_ranks(const Line& line) {
    if (line.ranks != "all" && line.ranks != "even" && line.ranks != "odd") {
      for (const std::string& part : parts(line.ranks, ',')) {
        const std::size_t dots = part.find("..");
        const int last = rank_in(dots == std::string::npos ? part : part.substr(dots + 2));
        expect(dots == std::string::npos || rank_in(part.substr(0, dots)) <= last,
               "'{}' names no rank; write the smaller one first", part);
        note_rank(last);
      }
    }
    for (const std::string& action : parts(line.actions, ';')) {
      const std::vector<std::string> words = words_of(action);
      if (words.size() > 1 && std::isdigit(static_cast<unsigned char>(words[1].front())) != 0)
        note_rank(rank_in(words[1]));
    }
  }

  void note_rank(int rank) {
    if (rank < highest_ || (rank == highest_ && highest_in_ > 0)) return;
    highest_ = rank;
    highest_in_ = number_;
  }

  void settle_ranks() {
    number_ = 0;
    require(!lines_.empty(), "{} has no line such as '0: send 1 4KiB; wait; receive 1'", name_);
    require(said_ == 0 || asked_ == 0 || said_ == asked_, "{} is for {}, and the command line says {}", name_,
            counted(said_, "rank"), asked_);
    ranks_ = std::max(said_, asked_);
    if (ranks_ == 0) ranks_ = highest_ + 1;
    number_ = highest_in_;
    expect(highest_ < ranks_, "it speaks of rank {}, and there are ranks 0 to {}", highest_, ranks_ - 1);
    number_ = 0;
  }

  bool is_meant(const std::string& ranks, int rank) const {
    if (ranks == "all") return true;
    if (ranks == "even" || ranks == "odd") return (rank % 2 == 0) == (ranks == "even");
    for (const std::string& part : parts(ranks, ',')) {
      const std::size_t dots = part.find("..");
      const int first = rank_in(part.substr(0, dots));
      const int last = dots == std::string::npos ? first : rank_in(part.substr(dots + 2));
      if (first <= rank && rank <= last) return true;
    }
    return false;
  }

  static std::vector<std::string> words_of(const std::string& action) {
    std::vector<std::string> words = parts(action, ' ');
    std::erase(words, "");
    return words;
  }

  Action parse_action(const std::string& text, int rank) const {
    const std::vector<std::string> words = words_of(text);
    if (words.front() == "wait" && words.size() == 1) return {};
    const bool sends = words.front() == "send";
    expect((sends || words.front() == "receive") && (words.size() == 2 || words.size() == 3),
           "'{}' is nothing that a rank does; write 'send 1 4KiB', 'receive 1' or 'wait'", text);
    Action action{.kind = sends ? Action::Kind::send : Action::Kind::receive, .bytes = sends ? bytes_ : 0};
    const std::string& peer = words[1];
    const bool relative = peer.front() == '+' || peer.front() == '-';
    const int number = rank_in(relative ? peer.substr(1) : peer) % (relative ? ranks_ : most_ranks);
    action.peer = !relative ? number : (rank + (peer.front() == '+' ? number : ranks_ - number)) % ranks_;
    expect(action.peer != rank, "rank {} cannot {} itself ('{}')", rank, sends ? "send to" : "receive from", text);
    if (words.size() == 3) action.bytes = parse_message_size(words[2]);
    return action;
  }

  const std::string& name_;
  int asked_;  // 0: nobody did
  std::int64_t bytes_;
  int said_ = 0;
  int highest_ = 0;
  int highest_in_ = 0;  // this line
  int ranks_ = 0;
  int number_ = 0;  // of the line at hand
  std::vector<Line> lines_;
};

}  // namespace

OwnProgram program_of_text(std::string_view text, const std::string& name, int ranks, std::int64_t bytes) {
  return ProgramReader(name, ranks, bytes).read(text);
}

}  // namespace tutti::app

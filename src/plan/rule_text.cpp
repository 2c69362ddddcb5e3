/// @file
/// The text of an administrator's rules, read line by line.

#include <fmt/format.h>

#include <set>
#include <utility>

#include "algorithms/catalogue.hpp"
#include "algorithms/parameter_check.hpp"
#include "base/check.hpp"
#include "base/text/nearest_name.hpp"
#include "base/text/split.hpp"
#include "base/units.hpp"
#include "plan/rules.hpp"
#include "schedule/model/collective_names.hpp"

namespace tutti {
namespace {

constexpr std::int64_t most_ranks = std::int64_t{1} << 24;

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  std::vector<std::string_view> words;
  line = line.substr(0, line.find('#'));
  while (true) {
    const std::size_t begin = line.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    words.push_back(line.substr(0, line.find_first_of(blanks)));
    line.remove_prefix(words.back().size());
  }
}

/// "8", "8..", "..64KiB" or "8..64KiB".
template <typename Parse>
Interval interval_of(std::string_view text, const Parse& parse) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return {parse(text), parse(text)};
  Interval interval;
  const std::string_view least = text.substr(0, dots);
  const std::string_view most = text.substr(dots + 2);
  if (!least.empty()) interval.least = parse(least);
  if (!most.empty()) interval.most = parse(most);
  require(interval.least <= interval.most, "the range {} is empty; write the smaller end first", text);
  return interval;
}

std::int64_t ranks_in(std::string_view text) { return parse_integer(text, "a number of ranks", 1, most_ranks); }

Shape grid_in(std::string_view text) {
  std::vector<int> extents;
  for (const std::string_view extent : split(text, 'x'))
    extents.push_back(static_cast<int>(parse_integer(extent, "an extent of a grid", 1, most_ranks)));
  require(extents.size() == 2, "a grid has two extents, such as 2x4, not '{}'", text);
  return Shape(std::move(extents));
}

/// One line, word by word.
class RuleReader {
 public:
  explicit RuleReader(std::vector<std::string_view> words) : words_(std::move(words)) {}

  Rule read() {
    const Collective collective = read_collective();
    while (peek() != "->") read_condition();
    require(collective != Collective::barrier || rule_.bytes.holds(0), "a barrier moves no data; leave bytes out");
    next("an arrow: all-reduce -> ring");
    read_algorithm(collective);
    while (at_ < words_.size()) read_parameter();
    algorithms::check_parameters(rule_.parameters, *rule_.algorithm);
    return rule_;
  }

 private:
  std::string_view peek() const {
    require(at_ < words_.size(), "the rule ends without an algorithm; write it as: all-reduce bytes 8..64KiB -> ring");
    return words_[at_];
  }
  std::string_view next(std::string_view what) {
    require(at_ < words_.size(), "after '{}' there has to be {}", words_.back(), what);
    return words_[at_++];
  }

  Collective read_collective() {
    const std::string_view name = next("a collective");
    if (const auto found = collective_called(name)) return *found;
    fail(ErrorCode::invalid_argument, "{}", no_collective(name));
  }

  void say_once(std::string_view name) {
    require(said_.insert(name).second, "a rule says '{}' once; leave one of the two out", name);
  }

  void read_condition() {
    static constexpr std::string_view names[] = {"bytes", "ranks", "ranks-per-node", "->"};
    const std::string_view name = next("a condition");
    say_once(name);
    if (name == "bytes") {
      rule_.bytes = interval_of(next("a range of sizes, such as 8..64KiB"),
                                [](std::string_view text) { return parse_bytes(text).count; });
    } else if (name == "ranks") {
      rule_.ranks = interval_of(next("a range of ranks, such as 2..16"), ranks_in);
    } else if (name == "ranks-per-node") {
      rule_.ranks_per_node = interval_of(next("a range of ranks, such as 2..16"), ranks_in);
    } else {
      fail(ErrorCode::invalid_argument, "a rule knows no '{}'; {}", name, nearest_in_words(name, names));
    }
  }

  void read_algorithm(Collective collective) {
    const std::string_view name = next("an algorithm");
    const Algorithm* const found = algorithms::find(collective, name);
    std::vector<std::string_view> names;
    for (const Algorithm* algorithm : algorithms::algorithms_for(collective)) {
      names.push_back(algorithm->name);
      // One of a program's own is none of these: ranks tell one another rules by places in the catalogue.
      if (algorithm == found) rule_.algorithm = found;
    }
    if (rule_.algorithm != nullptr) return;
    fail(ErrorCode::invalid_argument, "there is no algorithm '{}' for {}; {}", name, name_of(collective),
         nearest_in_words(name, names));
  }

  void read_parameter() {
    static constexpr std::string_view names[] = {"segments", "radix", "grid"};
    const std::string_view name = next("a parameter");
    say_once(name);
    if (name == "segments") {
      constexpr std::int64_t most_segments = std::int64_t{1} << 20;
      rule_.parameters.segments =
          static_cast<int>(parse_integer(next("a number of segments"), "a number of segments", 1, most_segments));
    } else if (name == "radix") {
      rule_.parameters.radix = static_cast<int>(parse_integer(next("a radix"), "a radix", 2, Rules::most_radix));
    } else if (name == "grid") {
      rule_.parameters.grid = grid_in(next("a grid, such as 2x4"));
      const std::int64_t ranks = rule_.parameters.grid.size();
      require(rule_.ranks.holds(ranks), "a grid of {} ranks is for none of the ranks of its rule; write: ranks {}",
              ranks, ranks);
      rule_.ranks = {ranks, ranks};
    } else {
      fail(ErrorCode::invalid_argument, "an algorithm has no parameter '{}'; {}", name, nearest_in_words(name, names));
    }
  }

  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
  Rule rule_;
  std::set<std::string_view> said_;
};

/// Whether the later rule holds for no call, because the earlier one fits all of its calls.
bool leaves_nothing(const Rule& earlier, const Rule& later) {
  const bool fits_always = earlier.algorithm->needs.empty() && !earlier.algorithm->for_several_nodes &&
                           earlier.algorithm->collective != Collective::all_to_all;
  return fits_always && earlier.algorithm->collective == later.algorithm->collective &&
         earlier.bytes.holds(later.bytes) && earlier.ranks.holds(later.ranks) &&
         earlier.ranks_per_node.holds(later.ranks_per_node);
}

void add(Rules& rules, Rule rule) {
  require(rules.list.size() < Rules::most, "there are more than {} rules; leave some out", Rules::most);
  for (const Rule& earlier : rules.list) {
    require(!leaves_nothing(earlier, rule), "line {} holds for all calls of this rule; put this one before it",
            earlier.line);
  }
  rules.list.push_back(std::move(rule));
}

}  // namespace

Rules parse_rules(std::string_view text, const std::string& file) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  Rules rules{.file = file, .list = {}};
  int number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    std::vector<std::string_view> words = words_of(line);
    if (words.empty()) continue;
    try {
      Rule rule = RuleReader(std::move(words)).read();
      rule.line = number;
      add(rules, std::move(rule));
    } catch (const Error& error) {
      fail(ErrorCode::invalid_argument, "{}:{}: {}", file, number, error.what());
    }
  }
  return rules;
}

}  // namespace tutti

#include "app/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "algorithms/parameter_check.hpp"
#include "app/network.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "schedule/collective_aliases.hpp"

namespace tutti::app {
namespace {

constexpr std::int64_t most_elements = std::int64_t{1} << 62;

int small_integer(std::string_view text, std::string_view what, std::int64_t least, std::int64_t most) {
  return static_cast<int>(parse_integer(text, what, least, most));
}

// Sets what an option says, unless another option has said something else.
template <typename Value>
void set_once(std::optional<Value>& field, const Value& value, std::string_view what) {
  require(!field || *field == value, "{} is given twice, and differently", what);
  field = value;
}

std::string text_of(const RankRange& range) {
  return range.first == range.last ? fmt::format("{}", range.first) : fmt::format("{} to {}", range.first, range.last);
}

void set_grid(Request& request, const Shape& grid, const std::string& by) {
  set_ranks(request, {grid.size(), grid.size()}, by);
  set_once(request.grid, grid, "the grid");
}

void set_network(Request& request, const std::string& words) {
  const Network network = parse_network(words);
  const int ranks = network.topology->ranks();
  require(ranks <= most_ranks_asked, "the network {} has more than {} ranks; take a smaller one", words,
          most_ranks_asked);
  const std::string by = "--topology " + words;
  network.grid.empty() ? set_ranks(request, {ranks, ranks}, by) : set_grid(request, network.grid, by);
  request.topology = network.topology;
  request.traffic = network.traffic;
}

// "3,0,5": how much each rank has.
std::vector<std::int64_t> parse_counts(std::string_view text) {
  std::vector<std::int64_t> counts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    counts.push_back(
        parse_integer(text.substr(begin, end - begin), "a count in a list such as 3,0,5", 0, most_elements));
    begin = end + 1;
  }
  return counts;
}

// Counts say how many ranks there are where nothing else does.
void set_counts(Request& request, const std::string& text) {
  request.counts = parse_counts(text);
  if (request.ranks || !request.collective) return;
  check_options(request, *request.collective);
  const auto n = static_cast<int>(request.counts->size());
  const bool of_pairs = request.collective == Collective::all_to_all;
  const int ranks = of_pairs ? static_cast<int>(std::lround(std::sqrt(n))) : n;
  require(!of_pairs || ranks * ranks == n,
          "an all-to-all has a count for each pair of ranks, as many as ranks times ranks, not {}", n);
  set_ranks(request, {ranks, ranks}, "--counts " + text);
}

// Of algorithms that have them.
void add_parameters(Command& command, Request& request) {
  const auto add = [&](const char* name, const char* type, const char* help, auto read) {
    add_value(command, request, name, type, help, [&request, read](const std::string& text) {
      read(request, text);
      request.asks_parameters = true;
    });
  };
  add("--grid", "RxC", "The grid that mesh algorithms use; sets the ranks",
      [](Request& r, const std::string& text) { set_grid(r, parse_grid(text), "--grid " + text); });
  add("--segments", "S", "Pieces of the message, for pipelined algorithms such as chain (the algorithm's own)",
      [](Request& r, const std::string& text) {
        r.segments = small_integer(text, "a number of segments", 1, 1 << 20);
      });
  add("--radix", "K", "How wide steps are, for algorithms such as k-nomial and k-ring (the algorithm's own)",
      [](Request& r, const std::string& text) { r.radix = small_integer(text, "a radix", 2, most_ranks_asked); });
}

}  // namespace

void set_ranks(Request& request, RankRange ranks, const std::string& by) {
  require(!request.ranks || *request.ranks == ranks,
          "the number of ranks is given twice, and differently: {} means {}, {} means {}; leave one out",
          request.ranks_by, text_of(request.ranks.value_or(ranks)), by, text_of(ranks));
  request.ranks = ranks;
  request.ranks_by = by;
}

RankRange parse_ranks(std::string_view text) {
  const std::size_t dots = text.find("..");
  RankRange range;
  if (dots == std::string_view::npos) {
    range.first = small_integer(text, "a number of ranks", 1, most_ranks_asked);
    range.last = range.first;
    return range;
  }
  range.first = small_integer(text.substr(0, dots), "the first number of ranks", 1, most_ranks_asked);
  range.last = small_integer(text.substr(dots + 2), "the last number of ranks", 1, most_ranks_asked);
  require(range.first <= range.last, "the range of ranks {} is empty; write the smaller number first", text);
  return range;
}

Shape parse_grid(std::string_view text) {
  std::vector<int> extents;
  std::int64_t size = 1;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    extents.push_back(
        small_integer(text.substr(begin, end - begin), "an extent of a grid such as 4x4", 1, most_ranks_asked));
    size *= extents.back();
    require(size <= most_ranks_asked, "the grid {} has more than {} ranks", text, most_ranks_asked);
    begin = end + 1;
  }
  return Shape(std::move(extents));
}

Collective parse_collective(std::string_view text) {
  if (const auto collective = collective_called(text)) return *collective;
  fail(ErrorCode::invalid_argument, "{}", no_collective(text));
}

void read_values(Request& request) {
  for (const auto& read : request.unread) read();
  request.unread.clear();
  if (request.complete) request.complete();
  if (!request.collective || !request.asks_parameters) return;
  Parameters asked = parameters_of(request);
  if (request.topology) asked.grid = {};  // there it may say where the ranks are
  algorithms::check_parameters(asked, *request.collective, request.algorithm.value_or(""));
}

void add_value(Command& command, Request& request, const std::string& name, const std::string& type,
               const std::string& help, const std::function<void(const std::string&)>& read) {
  const auto keep = [&request, read](const std::string& text) {
    request.unread.emplace_back([read, text] { read(text); });
  };
  command.add_text(name, type, help, keep);
}

OwnKind own_kind(std::string_view word) {
  if (word == "messages") return OwnKind::messages;
  if (word == "program") return OwnKind::program;
  return word == "schedule" ? OwnKind::schedule : OwnKind::none;
}

void add_collective(Command& command, Request& request) {
  add_value(command, request, "COLLECTIVE", "",
            "broadcast, reduce, all-reduce, …; 'tutti list --collectives' names them all",
            [&](const std::string& text) {
              if (request.takes_own) request.own = own_kind(text);
              if (request.own != OwnKind::none) return;
              if (request.takes_procedures && text.starts_with("procedure")) {
                request.procedure = text;
                return;
              }
              request.collective = parse_collective(text);
              require(request.own_words.empty(), "'{}' was not expected after {}",
                      request.own_words.empty() ? "" : request.own_words.front(), text);
            });
  command.add_flag("--json", request.json, "Print JSON; docs/cli.md names its fields");
}

void add_own(Command& command, Request& request, std::string_view words) {
  request.takes_own = true;
  command.add_texts("WORDS", "", std::string(words),
                    [&request](const std::vector<std::string>& given) { request.own_words = given; });
}

void add_problem(Command& command, Request& request, std::string_view ranges) {
  const auto add = [&](const char* name, const char* type, const char* help, auto read) {
    add_value(command, request, name, type, help, [&request, read](const std::string& text) { read(request, text); });
  };
  add("--algorithm", "NAME", "An algorithm's name or alias; without it all, or the cheapest where one is needed",
      [](Request& r, const std::string& text) { r.algorithm = text; });
  const std::string ranks = fmt::format("How many ranks{}", ranges);
  add("--ranks", ranges.empty() ? "N" : "N|A..B", ranks.c_str(),
      [](Request& r, const std::string& text) { set_ranks(r, parse_ranks(text), "--ranks " + text); });
  add("--topology", "SHAPE", "ring:8, mesh:4x4, hypercube:3, …, FILE.json; sets the ranks, and a mesh the grid",
      [](Request& r, const std::string& text) { set_network(r, text); });
  add("--root", "R", "The root of broadcast, reduce, scatter or gather",
      [](Request& r, const std::string& text) { r.root = small_integer(text, "a root", 0, most_ranks_asked); });
  add("--count", "N", "Elements: of the whole message, or of one rank's block where ranks have blocks",
      [](Request& r, const std::string& text) {
        set_once(r.count, parse_integer(text, "a count", 0, most_elements), "the count");
      });
  add("--bytes", "SIZE", "The same as a size such as 64KiB: elements of one byte",
      [](Request& r, const std::string& text) {
        set_once(r.count, parse_bytes(text).count, "the count");
        r.unit = Unit::bytes;
      });
  add("--counts", "N,N,…", "Elements of each rank's block; of an all-to-all row by row what each rank sends to each",
      set_counts);
  add_parameters(command, request);
  command.add_flag("--non-commutative", request.non_commutative,
                   "The operator does not commute: contributions are combined in the order of ranks");
  add("--distance", "Q", "How far a shift goes, either way", [](Request& r, const std::string& text) {
    constexpr int most = std::numeric_limits<int>::max();
    r.distance = small_integer(text, "a distance", -most, most);
  });
}

void check_options(const Request& request, Collective collective) {
  const std::string_view name = name_of(collective);
  require(!request.root || has_root(collective), "{} has no root; leave --root out", name);
  require(!request.distance || collective == Collective::shift, "{} has no distance; leave --distance out", name);
  require(!request.count || collective != Collective::barrier,
          "a barrier moves no data; leave --count and --bytes out");
  require(!request.counts || has_blocks(collective), "{} has one count for all ranks; leave --counts out", name);
  require(!request.counts || !request.count, "--counts says how much each rank has; leave --count and --bytes out");
  require(!request.non_commutative || reduces(collective), "{} combines nothing; leave --non-commutative out", name);
}

Problem problem_of(const Request& request, Collective collective, int ranks) {
  check_options(request, collective);
  Problem problem{.collective = collective, .ranks = ranks};
  problem.count = request.count.value_or(has_blocks(collective) ? 1 : ranks);
  if (collective == Collective::barrier) problem.count = 0;
  if (request.counts) {
    problem.counts = *request.counts;
    problem.count = 0;
  }
  problem.commutative = !request.non_commutative;
  problem.root = request.root.value_or(0);
  problem.distance = request.distance.value_or(collective == Collective::shift ? 1 : 0);
  check(problem);
  return problem;
}

Parameters parameters_of(const Request& request) {
  return {.segments = request.segments.value_or(0),
          .radix = request.radix.value_or(0),
          .grid = request.grid.value_or(Shape{})};
}

}  // namespace tutti::app

#include "app/options/request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "algorithms/parameter_check.hpp"
#include "app/options/network_words.hpp"
#include "base/check.hpp"
#include "base/text/split.hpp"
#include "base/units.hpp"
#include "schedule/model/collective_names.hpp"
#include "topology/formats/named.hpp"

namespace tutti::app {
namespace {

constexpr std::int64_t most_elements = std::int64_t{1} << 62;

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

// Gives the network that was named without a size that of the ranks.
void size_network(Request& request) {
  if (request.sizeless_network.empty()) return;
  const std::string words = std::exchange(request.sizeless_network, {});
  require(request.ranks && request.ranks->first == request.ranks->last,
          "--topology {0} needs a size: write it as 'tutti list --topologies' does, or add --ranks 8", words);
  set_network(request, sized_topology(words, request.ranks->first));
}

// "3,0,5": how much each rank has.
std::vector<std::int64_t> parse_counts(std::string_view text) {
  std::vector<std::int64_t> counts;
  for (const std::string_view count : split(text, ','))
    counts.push_back(parse_integer(count, "a count in a list such as 3,0,5", 0, most_elements));
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

// Adds the parameters of algorithms that have them.
void add_parameters(Command& command, Request& request) {
  const auto add = [&](const char* name, const char* type, const char* help, auto read) {
    add_value(command, request, name, type, help, [&request, read](const std::string& text) {
      read(request, text);
      request.asks_parameters = true;
    });
  };
  add("--grid", "RxC", "The grid that mesh algorithms use; sets the ranks",
      [](Request& r, const std::string& text) { set_grid(r, parse_grid(text), "--grid " + text); });
  add("--segments", "S",
      "Pieces of the message, for pipelined algorithms such as chain (8; prices and choices take what is fastest)",
      [](Request& r, const std::string& text) {
        r.segments = parse_small_integer(text, "a number of segments", 1, 1 << 20);
      });
  add("--radix", "K", "How wide steps are, for algorithms such as k-nomial and k-ring (the algorithm's own)",
      [](Request& r, const std::string& text) { r.radix = parse_small_integer(text, "a radix", 2, most_ranks_asked); });
}

// "--ranks" of "-p,--ranks"; empty for a positional.
std::string long_name(const std::string& names) {
  const std::size_t begin = names.find("--");
  return begin == std::string::npos ? "" : names.substr(begin, names.find(',', begin) - begin);
}

}  // namespace

void set_ranks(Request& request, RankRange ranks, const std::string& by) {
  require(!request.ranks || *request.ranks == ranks,
          "the number of ranks is given twice, and differently: {} means {}, {} means {}; leave one out",
          request.ranks_by, text_of(request.ranks.value_or(ranks)), by, text_of(ranks));
  request.ranks = ranks;
  request.ranks_by = by;
}

void set_network(Request& request, const std::string& words) {
  if (lacks_size(words)) {
    request.sizeless_network = words;
    return;
  }
  Network network = parse_network(words, request.pcie);
  const int ranks = network.topology->ranks();
  require(ranks <= most_ranks_asked, "the network {} has more than {} ranks; take a smaller one", words,
          most_ranks_asked);
  const std::string by = "--topology " + words;
  network.grid.empty() ? set_ranks(request, {ranks, ranks}, by) : set_grid(request, network.grid, by);
  request.topology = network.topology;
  request.traffic = network.traffic;
  request.notes.insert(request.notes.end(), network.notes.begin(), network.notes.end());
}

void read_values(Request& request) {
  for (const auto& read : request.unread) read();
  request.unread.clear();
  if (request.take_settings) request.take_settings();
  size_network(request);
  if (request.complete) request.complete();
  require(!request.pcie || request.topology, "--pcie is of a network from nvidia-smi; name it: --topology FILE.txt");
  if (!request.collective || !request.asks_parameters) return;
  Parameters asked = parameters_of(request);
  if (request.topology) asked.grid = {};  // there it may say where the ranks are
  algorithms::check_parameters(asked, *request.collective, request.algorithm.value_or(""));
}

void add_value(Command& command, Request& request, const std::string& name, const std::string& type,
               const std::string& help, const std::function<void(const std::string&)>& read) {
  const auto keep = [&request, read, option = long_name(name)](const std::string& text) {
    if (!option.empty()) request.given.emplace_back(option, text);
    request.unread.emplace_back([read, text] { read(text); });
  };
  command.add_text(name, type, help, keep);
}

void add_pcie(Command& command, Request& request) {
  command.add_text("--pcie", "3|4|5|6", "The generation of PCIe in a network from nvidia-smi (its GPU's, or 5)",
                   [&request](const std::string& text) { request.pcie = text; });
}

UserKind user_kind(std::string_view word) {
  if (word == "messages") return UserKind::messages;
  if (word == "program") return UserKind::program;
  return word == "schedule" ? UserKind::schedule : UserKind::none;
}

void add_collective(Command& command, Request& request) {
  add_value(command, request, "COLLECTIVE", "",
            "broadcast, reduce, all-reduce, …; 'tutti list --collectives' names them all",
            [&](const std::string& text) {
              if (request.takes_user_words) request.user_kind = user_kind(text);
              if (request.user_kind != UserKind::none) return;
              const std::string further = fmt::format("{}", fmt::join(request.user_words, " "));
              request.collective = collective_called(further.empty() ? text : text + ' ' + further);
              if (request.collective) return;
              request.collective = parse_collective(text);
              require(request.user_words.empty(), "'{}' was not expected after {}", further, text);
            });
  command.add_flag("--json", request.json, "Print JSON; the command's reference names its fields");
}

void add_user_words(Command& command, Request& request, std::string_view words) {
  request.takes_user_words = true;
  command.add_texts("WORDS", "", std::string(words),
                    [&request](const std::vector<std::string>& given) { request.user_words = given; });
}

void add_patch(Command& command, Request& request) {
  command.add_flag("--patch", request.patch,
                   "Let ranks run virtual processes besides, where a program needs more: 2^d, or a square");
}

void add_problem(Command& command, Request& request, std::string_view ranges) {
  const auto add = [&](const char* name, const char* type, const char* help, auto read) {
    add_value(command, request, name, type, help, [&request, read](const std::string& text) { read(request, text); });
  };
  add("--algorithm", "NAME", "An algorithm's name or alias; without it all, or the cheapest where one is needed",
      [](Request& r, const std::string& text) { r.algorithm = text; });
  const std::string ranks = fmt::format("How many ranks{}", ranges);
  add("-p,--ranks", ranges.empty() ? "N" : "N|A..B", ranks.c_str(),
      [](Request& r, const std::string& text) { set_ranks(r, parse_ranks(text), "--ranks " + text); });
  add("--topology", "SHAPE", "ring:8, mesh:4x4, hypercube:3, …, FILE.json; sets the ranks, and a mesh the grid",
      [](Request& r, const std::string& text) { set_network(r, text); });
  add_pcie(command, request);
  add("--root,--source", "R", "The root of broadcast, reduce, scatter or gather",
      [](Request& r, const std::string& text) { r.root = parse_small_integer(text, "a root", 0, most_ranks_asked); });
  add("--count", "N", "Elements: of the whole message, or of one rank's block where ranks have blocks",
      [](Request& r, const std::string& text) {
        set_once(r.count, parse_integer(text, "a count", 0, most_elements), "the count");
      });
  add("--bytes", "SIZE", "The count as a size such as 64KiB, in elements of one byte",
      [](Request& r, const std::string& text) {
        set_once(r.count, parse_bytes(text).count, "the count");
        r.unit = Unit::bytes;
      });
  add("--counts", "N,N,…", "Elements of each rank's block; for an all-to-all those of each pair of ranks, row by row",
      set_counts);
  add_parameters(command, request);
  command.add_flag("--non-commutative", request.non_commutative,
                   "The operator does not commute: contributions are combined in the order of ranks");
  add("--distance", "Q", "How far a shift goes, either way", [](Request& r, const std::string& text) {
    constexpr int most = std::numeric_limits<int>::max();
    r.distance = parse_small_integer(text, "a distance", -most, most);
  });
}

std::string given_options(const Request& request, std::span<const std::string_view> but) {
  std::string words;
  for (const auto& [name, text] : request.given) {
    if (std::find(but.begin(), but.end(), name) != but.end()) continue;
    const bool is_plain = text.find_first_of(" '\"$`&|;<>()*?") == std::string::npos;
    words += fmt::format(" {} {}", name, is_plain ? text : '\'' + text + '\'');
  }
  return request.non_commutative ? words + " --non-commutative" : words;
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

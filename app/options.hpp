/// @file
/// The options that subcommands share, read once into typed values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_line.hpp"
#include "base/units.hpp"
#include "schedule/choice.hpp"
#include "schedule/problem.hpp"
#include "topology/families.hpp"
#include "topology/graph.hpp"
#include "topology/nodes.hpp"

namespace tutti::app {

/// An inclusive range of numbers of ranks.
struct RankRange {
  int first = 1;
  int last = 1;

  friend bool operator==(const RankRange&, const RankRange&) = default;
};

/// What explain and draw show where nobody says how many ranks: few enough to follow, and of every algorithm's needs.
inline constexpr RankRange few_ranks{8, 8};

constexpr std::int64_t most_ranks_asked = std::int64_t{1} << 24;

/// "8", or "1..64". Throws `Error` unless 1 <= first <= last <= 2^24.
RankRange parse_ranks(std::string_view text);

/// "4x4" or "2x3x4", and "16" for one dimension. Throws `Error` for anything else.
Shape parse_grid(std::string_view text);

/// The collective of that name or alias, in letters of either case, with dashes or underscores; throws `Error` naming
/// the nearest otherwise, or all where none is near.
Collective parse_collective(std::string_view text);

/// What stands in the place of a collective where a command takes messages, programs and schedules of one's own.
enum class OwnKind : std::uint8_t { none, messages, program, schedule };

OwnKind own_kind(std::string_view word);

/// What the user asked about. Everything not given is empty.
struct Request {
  std::optional<Collective> collective;
  OwnKind own = OwnKind::none;
  bool takes_own = false;              ///< whether the command takes what is not a collective
  std::vector<std::string> own_words;  ///< the messages, or the file
  bool takes_procedures = false;       ///< whether the command takes a procedure, or all, in the place of a collective
  std::string procedure;               ///< "procedure-5", or "procedures"
  std::optional<std::string> algorithm;
  std::optional<RankRange> ranks;
  std::string ranks_by;                   ///< the option that named them: "--ranks 8"
  std::optional<std::vector<int>> nodes;  ///< how many ranks each node has
  NodeLinks node_links;                   ///< what links inside nodes and between them cost
  bool names_node_links = false;          ///< whether any of that was asked for
  std::optional<int> root;
  std::optional<int> distance;
  std::optional<std::int64_t> count;
  Unit unit = Unit::elements;  ///< of the count as it was given, and of what is said of it
  std::optional<Shape> grid;
  std::optional<int> segments;                      ///< of pipelined algorithms
  std::optional<int> radix;                         ///< of algorithms that have one
  bool asks_parameters = false;                     ///< whether any of these three is asked of an algorithm
  std::optional<std::vector<std::int64_t>> counts;  ///< of each rank, or of each pair of ranks
  bool non_commutative = false;                     ///< whether the operator must be taken in the order of ranks
  TopologyPtr topology;                             ///< null if none is named
  TrafficWords traffic;                             ///< what the network's file says of it
  bool json = false;
  std::vector<std::function<void()>> unread;  ///< values as given, until `read_values` turns them into the fields above
  std::function<void()> complete;             ///< what follows from several values, once all are read; may be empty
};

/// Takes what the option `by`, as it was given, says of the number of ranks. Throws `Error` where another has said
/// something else.
void set_ranks(Request& request, RankRange ranks, const std::string& by);

/// Reads the values of all options. Throws `Error` for one that cannot be read, and for options that contradict one
/// another. Waits until the command line as a whole has proved well formed, so that an unknown option is reported
/// before a strange value.
void read_values(Request& request);

/// Adds an option whose text `read` turns into a value, throwing `Error` for what it cannot read.
void add_value(Command& command, Request& request, const std::string& name, const std::string& type,
               const std::string& help, const std::function<void(const std::string&)>& read);
/// Adds the positional COLLECTIVE and --json.
void add_collective(Command& command, Request& request);
/// Adds what follows `messages`, `program` and `schedule`, those of them that the command takes: `words` says what.
void add_own(Command& command, Request& request, std::string_view words);
/// Adds --algorithm, --ranks, --topology, --grid, --segments, --radix, --root, --count, --counts, --bytes,
/// --distance and --non-commutative. `ranges`: how the help says that the command takes a range of numbers of ranks;
/// empty where it takes none.
void add_problem(Command& command, Request& request, std::string_view ranges = {});

/// The parameters that the request gives to whichever algorithm.
Parameters parameters_of(const Request& request);

/// The problem that the request means for one number of ranks. Without a count, whole messages have an element a rank,
/// and blocks one element. Throws `Error` where an option has no meaning for the collective, or the problem is not well
/// formed.
Problem problem_of(const Request& request, Collective collective, int ranks);

/// Throws `Error` where an option was given that has no meaning for the collective: a root for all-reduce.
void check_options(const Request& request, Collective collective);

}  // namespace tutti::app

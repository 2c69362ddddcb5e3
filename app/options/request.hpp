/// @file
/// The options that subcommands share, read once into typed values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/command_line/command_line.hpp"
#include "app/options/values.hpp"
#include "base/units.hpp"
#include "schedule/model/choice.hpp"
#include "schedule/model/problem.hpp"
#include "topology/families/families.hpp"
#include "topology/families/nodes.hpp"
#include "topology/graph.hpp"

namespace tutti::app {

/// Word in the place of a collective, for messages, programs and schedules of one's own.
enum class UserKind : std::uint8_t { none, messages, program, schedule };

UserKind user_kind(std::string_view word);

/// Request of the user. Everything not given is empty.
struct Request {
  std::optional<Collective> collective;
  UserKind user_kind = UserKind::none;
  bool takes_user_words = false;        ///< whether the command takes what is not a collective
  std::vector<std::string> user_words;  ///< the messages, or the file
  std::optional<std::string> algorithm;
  std::optional<RankRange> ranks;
  std::string ranks_by;                   ///< the option that named them: "--ranks 8"
  std::optional<std::vector<int>> nodes;  ///< ranks of each node
  NodeLinks node_links;                   ///< costs of links inside nodes and between them
  bool names_node_links = false;          ///< whether any of that was asked for
  std::optional<int> root;
  bool patch = false;  ///< whether a program's ranks may run virtual processes besides
  std::optional<int> distance;
  std::optional<std::int64_t> count;
  Unit unit = Unit::elements;  ///< unit of the count as it was given, and of what is said of it
  std::optional<Shape> grid;
  std::optional<int> segments;                      ///< segments of pipelined algorithms
  std::optional<int> radix;                         ///< radix of algorithms that have one
  bool asks_parameters = false;                     ///< whether any of these three is asked of an algorithm
  std::optional<std::vector<std::int64_t>> counts;  ///< counts of each rank, or of each pair of ranks
  bool non_commutative = false;                     ///< whether the operator must be taken in the order of ranks
  TopologyPtr topology;                             ///< null if none is named
  std::optional<std::string> pcie;                  ///< value of --pcie, as it was given
  TrafficWords traffic;                             ///< traffic in the network's file
  std::vector<std::string> notes;                   ///< sentences on what was assumed of files
  bool json = false;
  std::string sizeless_network;  ///< network that was named without its size, until the number of ranks is known
  std::vector<std::pair<std::string, std::string>> given;  ///< options with values, as they stand on the command line
  std::vector<std::function<void()>> unread;  ///< values as given, until `read_values` turns them into the fields above
  std::function<void()> take_settings;        ///< takes the user's defaults of what no option says; may be empty
  std::function<void()> complete;  ///< completes what follows from several values, once all are read; may be empty
};

/// Takes what the option `by`, as it was given, says of the number of ranks. Throws `Error` where another has said
/// something else.
void set_ranks(Request& request, RankRange ranks, const std::string& by);

/// Takes the network that the words of --topology name. Throws `Error` for none, and where other options contradict it.
void set_network(Request& request, const std::string& words);

/// Reads the values of all options. Throws `Error` for one that cannot be read, and for options that contradict one
/// another. Waits until the command line as a whole has proved well formed, so that an unknown option is reported
/// before a strange value.
void read_values(Request& request);

/// Adds an option whose text `read` turns into a value, throwing `Error` for what it cannot read.
void add_value(Command& command, Request& request, const std::string& name, const std::string& type,
               const std::string& help, const std::function<void(const std::string&)>& read);
/// Adds --pcie, which networks from nvidia-smi ask for.
void add_pcie(Command& command, Request& request);
/// Adds the positional COLLECTIVE and --json.
void add_collective(Command& command, Request& request);
/// Adds what follows `messages`, `program` and `schedule`, those of them that the command takes: `words` says what.
void add_user_words(Command& command, Request& request, std::string_view words);
/// Adds --patch, for commands that take programs.
void add_patch(Command& command, Request& request);
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

/// Returns the request's options as they were given, for a command that is printed as a hint: " --grid 3x3 --ranks 9".
/// Leaves out those that `but` names.
std::string given_options(const Request& request, std::span<const std::string_view> but);

/// Throws `Error` where an option was given that has no meaning for the collective: a root for all-reduce.
void check_options(const Request& request, Collective collective);

}  // namespace tutti::app

/// @file
/// A schedule as a sequence of pictures: what moves in each step, and what each rank holds before and after.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "draw/steps/frame_limits.hpp"
#include "schedule/model/schedule.hpp"
#include "topology/topology.hpp"

namespace tutti::draw {

/// A message.
struct Arrow {
  int number = 1;  ///< within its step, from 1, in order of the sending rank
  int from = 0;
  int to = 0;
  std::vector<int> route;      ///< the vertices on its way, `from` first and `to` last
  std::int64_t elements = 0;   ///< its size
  std::string content;         ///< "{0..3}", "Σ0..3", "M"; empty for a signal without data
  bool between_nodes = false;  ///< its ranks share no node
  bool combined = false;       ///< its receiver combines it with what it holds, instead of storing it
};

/// Load of a directed link in a step.
struct DrawnLoad {
  int from = 0;
  int to = 0;
  int messages = 0;
  std::int64_t elements = 0;
  std::string content;  ///< content that several messages carry together; empty for one, and if it takes many words
};

/// One rank during one step.
struct RankFrame {
  std::vector<std::string> before;  ///< contents that it holds, a line each; see `frames_of`
  std::vector<std::string> after;
  std::vector<std::string> operations;  ///< its own text of the step, a line an operation, as `tutti explain` prints it
  std::string
      sent;  ///< content that its messages of the step carry together; empty for one, and if it takes many words
};

/// Mistake at the end of a step.
struct WrongPlace {
  int rank = 0;
  std::string words;  ///< the wrong block and why, such as "output[1..2) holds …"
};

/// A step: the messages that are under way together.
struct Frame {
  std::string phase;             ///< phase of the algorithm that its messages belong to; empty if the text names none
  std::string event;             ///< event in it, if it has no messages that could be counted; usually empty
  std::vector<Arrow> arrows;     ///< in order of number
  std::vector<DrawnLoad> loads;  ///< in order of ends
  std::vector<RankFrame> ranks;  ///< by rank
  std::optional<WrongPlace> wrong = {};  ///< a mistake that the picture marks
  bool is_partial = false;               ///< whether messages of ranks that are not shown are left out
};

/// A schedule on a network, drawn.
struct ScheduleFrames {
  std::string title;  ///< "broadcast of 8 elements over 8 ranks, root 0"; and where the ranks are, on several nodes
  Unit unit = Unit::elements;  ///< unit of all that messages carry
  std::string legend;          ///< key to what ranks hold, one sentence; may be empty
  int ranks = 0;               ///< ranks of the schedule
  int shown_ranks = 0;
  std::vector<int> nodes;  ///< node of each shown rank; empty if all ranks are on one node
  int steps = 0;           ///< steps of the schedule
  int first = 1;           ///< the number of the first one shown
  std::vector<Frame> shown;
  std::vector<std::string> notes;  ///< parts that are left out, a sentence each
};

/// Whether any message that is shown is combined by its receiver, or stored by it.
bool has_arrow(const ScheduleFrames& frames, bool combined);

/// Returns the meaning of a message's color: "a message that its receiver stores", or combines.
std::string_view meaning_of_color(bool combined);

/// Makes frames of the schedule, one a step: its rank r sits on the network's rank r, and messages go the network's
/// routes.
///
/// A message belongs to the first step in which both of its ranks have come to it, a rank coming to its next wait in
/// the step after the last of its messages. Operations without messages take no step. Where the text names phases, no
/// message is in a step before all messages of earlier phases.
///
/// Ranks' contents are found by running all ranks symbolically (verify/observe.hpp) and named by block: "{0..3}" are
/// the blocks of ranks 0 to 3 (or the parts of a message), "x3" the contribution of rank 3, "Σ0..3" the sum of those of
/// ranks 0 to 3, "2: Σ0..3" that of their parts 2, "0..3→5" blocks from ranks 0 to 3 for rank 5, "M" a message that is
/// never cut. Only contents that are still of use count: what the rank will read, and its result.
///
/// Above `limits` the first ranks are kept, and messages among them; of the steps those that `limits` names; the notes
/// say so.
///
/// Throws `Error(invalid_argument)` where network and schedule differ in ranks, where there are more ranks than
/// `most_ranks_framed`, where the schedule has no such steps, and, naming the failure, for a schedule that cannot be
/// run to its end.
/// Cost: that of verifying the schedule, and O(what ranks hold) a step.
ScheduleFrames frames_of(const Schedule& schedule, const Topology& topology, const Limits& limits = {},
                         Unit unit = Unit::elements);

}  // namespace tutti::draw

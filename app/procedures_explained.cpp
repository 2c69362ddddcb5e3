/// @file
/// `tutti explain procedure-5`: a procedure's lines, and beside each what the ranks do there.

#include <fmt/format.h>

#include <algorithm>

#include "app/meaning.hpp"
#include "app/own_actions.hpp"
#include "app/procedures.hpp"
#include "app/terminal.hpp"
#include "base/check.hpp"
#include "base/units.hpp"

namespace tutti::app {
namespace {

constexpr int most_ranks_listed = 16;
constexpr int most_ranks_walking = 1 << 12;

// What the rank does at the line, each time that it comes to it.
std::string visits_of(const Walk& walk, int line) {
  std::string text;
  for (const Visit& visit : walk.visits()) {
    if (visit.line == line) text += (text.empty() ? "" : "; ") + visit.what;
  }
  return text;
}

// Blanks that stand for the depth of a line would be lost where a cell is folded.
std::string indented(std::string_view line) {
  const std::size_t depth = line.find_first_not_of(' ');
  std::string text;
  for (std::size_t k = 0; k < depth; k += 2) text += "| ";
  return text + std::string(line.substr(depth));
}

Json json_of(const Procedure& procedure, const std::vector<Walk>& walks) {
  Json ranks = Json::array();
  for (const Walk& walk : walks) {
    Json visits = Json::array();
    for (const Visit& visit : walk.visits()) visits.push_back({{"line", visit.line}, {"does", visit.what}});
    ranks.push_back(visits);
  }
  return Json{
      {"procedure", procedure.name},      {"title", procedure.title}, {"collective", name_of(procedure.collective)},
      {"algorithm", procedure.algorithm}, {"lines", procedure.lines}, {"ranks", ranks}};
}

std::string walks_text(const Procedure& procedure, const std::vector<Walk>& walks) {
  std::vector<std::vector<std::string>> rows{{"LINE", "TEXT"}};
  for (const Walk& walk : walks) rows.front().push_back(fmt::format("RANK {}", walk.rank()));
  for (std::size_t k = 0; k < procedure.lines.size(); ++k) {
    rows.push_back({fmt::format("{}", k + 1), indented(procedure.lines[k])});
    for (const Walk& walk : walks) rows.back().push_back(visits_of(walk, static_cast<int>(k) + 1));
  }
  const std::string_view name = procedure.name;
  // Where the screen is narrow the last ranks give way.
  std::vector<std::size_t> last_ranks;
  for (std::size_t column = rows.front().size(); column-- > 3;) last_ranks.push_back(column);
  const std::string table =
      screen_table(rows, last_ranks, "The ranks for which the screen has no room do the like; --json has them all.");
  return screen_text(fmt::format("{}: {}, over {}. It is {} by {}.", name, procedure.title,
                                 counted(static_cast<std::int64_t>(walks.size()), "rank"),
                                 name_of(procedure.collective), procedure.algorithm)) +
         fmt::format("\n{}\n", table) +
         screen_text(
             "What stands beside a line is what the rank does there, each time that it comes to it: the value that "
             "is set, or whom it sends to or receives from, one m long unless a number says otherwise.") +
         (procedure.asynchronous
              ? ""
              : screen_text(
                    "Its sends end before it receives: where no send is buffered, ranks that send to one another "
                    "never end.")) +
         "Run it:\n" + screen_command(fmt::format("tutti verify program {} --ranks {}", name, walks.size())) +
         screen_command(fmt::format("tutti simulate program {} --ranks {} --eager 1MiB", name, walks.size())) +
         "The same in the catalogue:\n" +
         screen_command(fmt::format("tutti explain {} --algorithm {} --ranks {} --steps", name_of(procedure.collective),
                                    procedure.algorithm, walks.size()));
}

}  // namespace

std::vector<Walk> walks_of(const Procedure& procedure, int ranks, int root) {
  require(ranks >= 1 && ranks <= most_ranks_walking, "{} is run by 1 to {} ranks, not {}", procedure.name,
          most_ranks_walking, ranks);
  require(procedure.fits(ranks), "{} needs {}, not {}", procedure.name, procedure.needs, ranks);
  require(root >= 0 && root < ranks, "the root {} is not one of the ranks 0 to {}", root, ranks - 1);
  std::vector<Walk> walks;
  for (int rank = 0; rank < ranks; ++rank) procedure.run(walks.emplace_back(rank, ranks, root));
  return walks;
}

OwnProgram program_of_procedure(const Procedure& procedure, int ranks, int root, std::int64_t bytes) {
  OwnProgram program{.title = fmt::format("{} over {}", procedure.name, counted(ranks, "rank")),
                     .schedule = {},
                     .releases = {},
                     .texts = {}};
  Actions actions;
  for (const Walk& walk : walks_of(procedure, ranks, root)) {
    std::vector<Action>& mine = actions.emplace_back();
    std::string& text = program.texts.emplace_back();
    for (const Visit& visit : walk.visits()) {
      if (visit.kind == Visit::Kind::computes) continue;
      const bool sends = visit.kind == Visit::Kind::sends;
      text += fmt::format("{}{}", text.empty() ? "" : "; ",
                          sends                                 ? "send "
                          : visit.kind == Visit::Kind::receives ? "receive "
                                                                : "") +
              visit.what;
      if (visit.kind == Visit::Kind::waits) {
        mine.push_back({});
        continue;
      }
      mine.push_back(
          {sends ? Action::Kind::send : Action::Kind::receive, visit.peer, sends ? visit.blocks * bytes : 0});
      if (!procedure.asynchronous) mine.push_back({});
    }
  }
  program.schedule = schedule_of(std::move(actions));
  return program;
}

Outcome explain_procedure(const Procedure& procedure, const Request& request) {
  const RankRange ranks = request.ranks.value_or(RankRange{usual_ranks(procedure), usual_ranks(procedure)});
  require(ranks.first == ranks.last, "explain looks at one number of ranks, not a range");
  require(request.json || ranks.first <= most_ranks_listed,
          "{} ranks do not fit beside a procedure; take at most {}, or --json", ranks.first, most_ranks_listed);
  const std::vector<Walk> walks = walks_of(procedure, ranks.first, request.root.value_or(0));
  return {request.json ? json_of(procedure, walks).dump(2) + '\n' : walks_text(procedure, walks)};
}

Outcome explain_procedures(bool json) {
  std::vector<std::vector<std::string>> rows{{"NAME", "TEXT", "IS", "NEEDS"}};
  Json all = Json::array();
  for (const Procedure& each : procedures()) {
    const std::string is = fmt::format("{} by {}", name_of(each.collective), each.algorithm);
    rows.push_back({std::string(each.name), std::string(each.title), is,
                    std::string(each.needs.empty() ? "any ranks" : each.needs)});
    all.push_back({{"name", each.name},
                   {"title", each.title},
                   {"collective", name_of(each.collective)},
                   {"algorithm", each.algorithm},
                   {"needs", each.needs}});
  }
  return {json ? all.dump(2) + '\n' : screen_table(rows, {3})};
}

}  // namespace tutti::app

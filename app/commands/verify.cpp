/// @file
/// `tutti verify`: proves algorithms of the catalogue for ranges of ranks, all roots and difficult counts.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "algorithms/cases.hpp"
#include "algorithms/catalogue.hpp"
#include "app/command_line/outcome.hpp"
#include "app/command_line/platform.hpp"
#include "app/command_line/terminal.hpp"
#include "app/commands/subcommands.hpp"
#include "app/commands/user_commands.hpp"
#include "app/options/node_options.hpp"
#include "app/options/request.hpp"
#include "app/reports/descriptions.hpp"
#include "app/reports/proof_report.hpp"
#include "app/reports/proofs.hpp"
#include "base/check.hpp"
#include "base/text/nearest_name.hpp"
#include "base/units.hpp"
#include "verify/text.hpp"

namespace tutti::app {
namespace {

constexpr RankRange default_ranks{1, 64};

struct VerifyRequest : Request {
  int jobs = usable_processors();
};

// The algorithm of that name, if it works for any number of ranks in the range; throws `Error` with a remedy otherwise.
const Algorithm& named(Collective collective, std::string_view name, RankRange ranks, const Layout& layout) {
  const Algorithm* found = algorithms::find(collective, name);
  Problem problem{.collective = collective, .count = 1};
  for (problem.ranks = ranks.first; found && problem.ranks <= ranks.last; ++problem.ranks) {
    if (!unmet_need(*found, problem, layout)) return *found;
  }
  problem.ranks = ranks.last;
  return algorithms::fitting(problem, name, layout);
}

// The algorithms asked about; a name without a collective means that name in every collective that has it.
std::vector<const Algorithm*> wanted(const VerifyRequest& request, RankRange ranks) {
  if (request.collective && request.algorithm)
    return {&named(*request.collective, *request.algorithm, ranks, layout_of(request))};
  std::vector<const Algorithm*> found;
  std::vector<std::string_view> names;
  for (const Algorithm* algorithm : algorithms::catalogue()) {
    names.push_back(algorithm->name);
    if (request.collective && algorithm->collective != *request.collective) continue;
    if (request.algorithm && algorithms::find(algorithm->collective, *request.algorithm) != algorithm) continue;
    found.push_back(algorithm);
  }
  if (!found.empty()) return found;
  const std::string_view near = nearest_name(*request.algorithm, names);
  fail(ErrorCode::invalid_argument, "no collective has an algorithm '{}'; {}", *request.algorithm,
       near.empty() ? "'tutti list' names them all" : fmt::format("the nearest is '{}'", near));
}

// Returns the case with the request's values, or nothing if it has no such root.
std::optional<Problem> adapted(const VerifyRequest& request, Problem problem) {
  if (request.root && has_root(problem.collective)) {
    if (*request.root >= problem.ranks) return std::nullopt;
    problem.root = *request.root;
  }
  if (request.count) {
    problem.count = *request.count;
    problem.counts.clear();
  }
  if (request.distance && problem.collective == Collective::shift) problem.distance = *request.distance;
  check(problem);
  return problem;
}

// Checks the size of uneven cases, which have a count for each block: that may be more than the memory holds.
void check_blocks(const Algorithm& algorithm, int ranks, const Layout& layout) {
  const Problem problem{.collective = algorithm.collective, .ranks = ranks, .count = 1};
  if (!unmet_need(algorithm, problem, layout)) check_proof_size(algorithm, problem, layout);
}

std::size_t bytes_held_by(const Case& one) { return sizeof(Case) + one.problem.counts.size() * sizeof(std::int64_t); }

/// The cases of one algorithm over `ranks` ranks.
std::vector<Case> cases_of(const VerifyRequest& request, const Layout& layout, const Algorithm& algorithm, int ranks) {
  std::vector<Case> cases;
  const Parameters asked_parameters = parameters_of(request);
  const bool may_repeat = request.root || request.count || request.distance || asked_parameters != Parameters{};
  const auto see = [&](const Problem& problem, Parameters parameters) {
    const auto asked = adapted(request, problem);
    if (request.grid) parameters.grid = asked_parameters.grid;
    if (request.radix) parameters.radix = asked_parameters.radix;
    if (request.segments) parameters.segments = asked_parameters.segments;
    const auto same = [&](const Case& one) { return one.problem == *asked && one.choice.parameters == parameters; };
    if (!asked || (may_repeat && std::any_of(cases.begin(), cases.end(), same))) return;
    cases.push_back({{algorithm, parameters}, *asked});
  };
  algorithms::for_each_case(algorithm, ranks, see, layout);
  return cases;
}

/// Takes cases, and has them proved whenever so many bytes of them are held that a range of many ranks would need more
/// than the memory.
class Proofs {
 public:
  /// Progress of `all` cases.
  Proofs(const VerifyRequest& request, const Layout& layout, std::size_t all)
      : request_(request), layout_(layout), bar_(progress_bar("proving", all)) {}

  void take(const std::vector<Case>& cases) {
    for (const Case& one : cases) bytes_ += bytes_held_by(one);
    cases_.insert(cases_.end(), cases.begin(), cases.end());
    if (bytes_ > most_bytes) prove_held();
  }

  std::vector<Verdict> verdicts() {
    if (!cases_.empty()) prove_held();
    if (bar_) clear_progress_bar();
    return std::move(verdicts_);
  }

 private:
  static constexpr std::size_t most_bytes = std::size_t{1} << 28;

  void prove_held() {
    const auto tell = [this](std::size_t done) { bar_(proved_ + done); };
    add(verdicts_, prove(cases_, request_.jobs, bar_ ? Progress(tell) : Progress(), layout_));
    proved_ += cases_.size();
    cases_.clear();
    bytes_ = 0;
  }

  const VerifyRequest& request_;
  const Layout& layout_;
  Progress bar_;
  std::size_t proved_ = 0;
  std::vector<Case> cases_;
  std::size_t bytes_ = 0;
  std::vector<Verdict> verdicts_;
};

std::vector<Verdict> verdicts_of(const VerifyRequest& request) {
  const RankRange ranks = request.ranks.value_or(default_ranks);
  if (request.collective) check_options(request, *request.collective);
  require(!request.root || *request.root < ranks.last, "the root {} is not one of the ranks 0 to {}",
          request.root.value_or(0), ranks.last - 1);
  const Layout layout = layout_of(request);
  const std::vector<const Algorithm*> algorithms = wanted(request, ranks);
  // Sizes that are too large are refused before the first proof, and mostly it is too large over the most ranks.
  for (const Algorithm* algorithm : algorithms) check_blocks(*algorithm, ranks.last, layout);
  for (const Algorithm* algorithm : algorithms) {
    for (int p = ranks.first; p <= ranks.last; ++p) check_blocks(*algorithm, p, layout);
  }
  const auto for_each_part = [&](const auto& see) {
    for (const Algorithm* algorithm : algorithms) {
      for (int p = ranks.first; p <= ranks.last; ++p) see(cases_of(request, layout, *algorithm, p));
    }
  };
  std::size_t all = 0;
  if (errors_are_terminal()) for_each_part([&](const std::vector<Case>& cases) { all += cases.size(); });
  Proofs proofs(request, layout, all);
  for_each_part([&](const std::vector<Case>& cases) { proofs.take(cases); });
  return proofs.verdicts();
}

Outcome verify_catalogue(const VerifyRequest& request) {
  if (request.user_kind != UserKind::none) return verify_user_program(request);
  const std::vector<Verdict> verdicts = verdicts_of(request);
  require(!verdicts.empty(), "no algorithm asked about works for these ranks; 'tutti list' says what each needs");
  return report(verdicts, request.ranks.value_or(default_ranks), request.json, layout_of(request), request);
}

}  // namespace

void add_verify(Command command, Chosen& chosen) {
  const auto request = std::make_shared<VerifyRequest>();
  add_collective(command, *request);
  add_user_words(command, *request, "After 'messages': 1-6 4-7@2us:64KiB …; after 'program' or 'schedule': its file");
  add_patch(command, *request);
  add_problem(command, *request, ", or a range of them");
  // The cases of a proof have all of them.
  for (const char* name : {"--counts", "--non-commutative"}) command.remove_option(name);
  add_nodes(command, *request, "Every proof is made with it; what asks where its ranks are is named");
  add_value(command, *request, "--jobs", "N", "Threads to use; as many as this process may use cores",
            [&jobs = request->jobs](const std::string& text) {
              jobs = static_cast<int>(parse_integer(text, "a number of jobs", 1, 1024));
            });
  command.set_footer(
      "Without --ranks, 1 to 64. Exit status 1 if a proof fails.\n"
      "Examples:\n  tutti verify\n  tutti verify all-reduce --ranks 1..32\n  tutti verify broadcast --algorithm ring "
      "--ranks 1024 --root 0\n  tutti verify reduce --nodes 3+5+1\n"
      "  tutti verify program exchange.txt\n"
      "  tutti verify program procedure-5-mended --ranks 1..64\n"
      "  tutti verify --json");
  command.when_chosen([request, &chosen] {
    chosen = [request] {
      read_values(*request);
      return with_notes(verify_catalogue(*request), request->notes);
    };
  });
}

}  // namespace tutti::app

#include "app/commands/plan/plan_export.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "app/command_line/files.hpp"
#include "app/command_line/terminal.hpp"
#include "app/commands/plan/kept_winners.hpp"
#include "app/commands/plan/mpich_tree.hpp"
#include "app/commands/plan/planned.hpp"
#include "base/check.hpp"
#include "base/integers.hpp"
#include "base/units.hpp"

namespace tutti::app {
namespace {

constexpr std::int64_t exported_element = sizeof(double);

// Candidates for one collective, and their library.
struct Exporting {
  PlanQuestion question;
  std::span<const Counterpart> counterparts;

  int ranks() const { return question.problem.ranks; }
  const Counterpart* counterpart(const Algorithm& algorithm) const {
    return counterpart_of(counterparts, algorithm, ranks());
  }
};

// The fastest of those that the library has, too; nothing where it has none.
std::optional<Choice> fastest_there(const Exporting& exporting, std::int64_t bytes) {
  const PlanQuestion& question = exporting.question;
  for (const Priced& each :
       ranking_of(problem_of_size(question, bytes), question.parameters, question.element_size, *question.model)) {
    if (exporting.counterpart(*each.choice.algorithm) != nullptr) return each.choice;
  }
  return std::nullopt;
}

// Returns the algorithm that tutti would take and the library has not; null if it has it.
const Algorithm* missing_there(const Exporting& exporting, std::int64_t bytes) {
  const PlanQuestion& question = exporting.question;
  const Choice chosen =
      choose(problem_of_size(question, bytes), question.parameters, question.element_size, *question.model);
  return exporting.counterpart(*chosen.algorithm) == nullptr ? chosen.algorithm : nullptr;
}

std::vector<WinnerRange> winner_ranges_of(const std::function<const Algorithm*(std::int64_t)>& of,
                                          const SizeRange& range) {
  std::vector<const Algorithm*> met;
  const auto winner = [&](std::int64_t bytes) {
    const Algorithm* const algorithm = of(bytes);
    const auto found = std::find(met.begin(), met.end(), algorithm);
    if (found != met.end()) return static_cast<std::size_t>(found - met.begin());
    met.push_back(algorithm);
    return met.size() - 1;
  };
  std::vector<std::int64_t> begins{range.least};
  if (range.most > range.least) {
    for (const std::int64_t bytes : winner_changes(winner, range, 2)) begins.push_back(bytes);
  }
  std::vector<WinnerRange> ranges;
  for (std::size_t k = 0; k < begins.size(); ++k) {
    const std::int64_t most = k + 1 < begins.size() ? begins[k + 1] - 1 : range.most;
    if (const Algorithm* const algorithm = met[winner(begins[k])]) ranges.push_back({{begins[k], most}, algorithm});
  }
  return ranges;
}

std::string text_of(const Exporting& exporting, const std::vector<WinnerRange>& there,
                    const std::vector<WinnerRange>& missing) {
  const Collective collective = exporting.question.problem.collective;
  std::string text = fmt::format("{} over {}\n", name_of(collective), counted(exporting.ranks(), "rank"));
  const auto sizes = [&](const WinnerRange& range) {
    if (collective == Collective::barrier) return std::string("  ");
    return fmt::format("  {} to {}: ", tutti::text_of(Bytes{range.sizes.least}),
                       tutti::text_of(Bytes{range.sizes.most}));
  };
  for (const WinnerRange& range : there) {
    const Counterpart& counterpart = *exporting.counterpart(*range.algorithm);
    text += fmt::format("{}{}, there {}\n", sizes(range), range.algorithm->name, counterpart.name);
  }
  for (const WinnerRange& range : missing)
    text +=
        fmt::format("{}left out: {}, tutti's choice, which the library has not\n", sizes(range), range.algorithm->name);
  return text;
}

// Returns the remark on winners by which tutti itself would go at these sizes. A file is written by the costs alone, by
// which its ranges are found; so it has a winner only if that is the cheapest there, and names no parameters.
std::string kept_text(const Exporting& exporting, const std::vector<std::int64_t>& sizes) {
  const bool has_sizes = exporting.question.problem.collective != Collective::barrier;
  std::string text;
  for (const std::int64_t bytes : sizes) {
    for (const KeptWinner& kept : kept_for(exporting.question, problem_of_size(exporting.question, bytes))) {
      const bool is_plain = kept.choice.parameters == Parameters();
      const std::optional<Choice> fastest = fastest_there(exporting, bytes);
      if (is_plain && fastest && kept.choice.algorithm == fastest->algorithm) continue;
      text += fmt::format("  {}left out: {}, which an earlier run of tutti has kept\n",
                          has_sizes ? tutti::text_of(Bytes{bytes}) + ": " : "", kept_in_words(kept));
    }
  }
  return text;
}

// Open MPI counts the bytes of all blocks.
std::int64_t openmpi_bytes(const Exporting& exporting, std::int64_t bytes) {
  return has_blocks(exporting.question.problem.collective) ? bytes * exporting.ranks() : bytes;
}

// The bytes of a segment of the fastest algorithm, which is chosen with its number of segments.
std::int64_t segment_bytes(const Exporting& exporting, std::int64_t bytes) {
  const Problem problem = problem_of_size(exporting.question, bytes);
  const std::optional<Choice> fastest = fastest_there(exporting, bytes);
  return fastest ? ceil_divide<std::int64_t>(bytes, fastest->parameters.segments_for(problem.count)) : 0;
}

// For how many ranks and more a list of sizes holds, and from how many bytes on an algorithm does; algorithm 0 leaves
// the choice to Open MPI, as it is for more ranks.
std::string openmpi_section(const Exporting& exporting, const std::vector<WinnerRange>& there) {
  const Counterpart& first = *exporting.counterpart(*there.front().algorithm);
  std::string text = fmt::format("{} # {}\n2 # numbers of ranks\n{} # ranks\n{} # sizes\n", first.number, first.call,
                                 exporting.ranks(), there.size());
  for (std::size_t k = 0; k < there.size(); ++k) {
    const Counterpart& counterpart = *exporting.counterpart(*there[k].algorithm);
    const std::int64_t from = k == 0 ? 0 : openmpi_bytes(exporting, there[k].sizes.least);
    const bool is_cut = counterpart.name == "pipeline";
    const std::int64_t segment = is_cut ? segment_bytes(exporting, there[k].sizes.least) : 0;
    text += fmt::format("{} {} 0 {} # {}\n", from, counterpart.choice, segment, counterpart.name);
  }
  return text + fmt::format("{} # ranks and more\n1\n0 0 0 0\n", exporting.ranks() + 1);
}

/// A file that is asked for.
struct Export {
  std::string file;
  std::span<const Counterpart> counterparts;
  std::function<void(const Exporting&, const std::vector<WinnerRange>&)> add;
  std::function<std::string()> text;
};

Export openmpi_export(const PlanRequest& request) {
  const auto sections = std::make_shared<std::vector<std::string>>();
  return {*request.openmpi_rules, openmpi_counterparts(),
          [sections](const Exporting& exporting, const std::vector<WinnerRange>& there) {
            sections->push_back(openmpi_section(exporting, there));
          },
          [sections] {
            return fmt::format("{} # collectives; written by tutti plan --openmpi-rules\n{}", sections->size(),
                               fmt::join(*sections, ""));
          }};
}

Export mpich_export(const PlanRequest& request) {
  const auto tree = std::make_shared<MpichTree>(request.mpich_defaults.value_or(""));
  return {*request.mpich_json, mpich_counterparts(),
          [tree](const Exporting& exporting, const std::vector<WinnerRange>& there) {
            tree->set(exporting.counterparts, exporting.question.problem, there);
          },
          [tree] { return tree->text(); }};
}

// Other libraries have no shift.
std::vector<Collective> collectives_of(const PlanRequest& request) {
  if (request.collective) return {*request.collective};
  std::vector<Collective> all{all_collectives().begin(), all_collectives().end()};
  std::erase(all, Collective::shift);
  return all;
}

void check_export(const PlanRequest& request) {
  require(!request.run && !request.topology && !request.nodes && !request.plot && !request.check && !request.json &&
              !request.rivals && !request.rules && request.skew.empty(),
          "rules of other libraries are written for ranks of this machine, by the costs alone; leave --run, "
          "--topology, --nodes, --plot, --check, --rivals, --rules, --skew and --json out");
  require(request.collective != Collective::shift,
          "other libraries have no shift; name another collective, or none for all");
  require(!request.mpich_defaults || request.mpich_json,
          "--mpich-defaults completes --mpich-json FILE; name that, too");
  if (request.openmpi_rules) check_output_file(*request.openmpi_rules, {""});
  if (request.mpich_json) check_output_file(*request.mpich_json, {".json"});
}

}  // namespace

Outcome export_choices(const PlanRequest& asked) {
  PlanRequest request = asked;
  check_export(request);
  if (!request.transport) request.transport = Transport::mpi;
  const auto model = model_of_machine(request, ranks_of(request));
  std::vector<Export> exports;
  if (request.openmpi_rules) exports.push_back(openmpi_export(request));
  if (request.mpich_json) exports.push_back(mpich_export(request));
  const std::vector<Collective> collectives = collectives_of(request);
  const Progress progress = progress_bar("choosing", exports.size() * collectives.size());
  std::size_t done = 0;
  std::string text;
  for (const Export& each : exports) {
    std::string found;
    for (const Collective collective : collectives) {
      PlanRequest one = request;
      one.collective = collective;
      if (collective == Collective::barrier && !request.collective) one.sizes.reset();
      const std::vector<std::int64_t> sizes = sizes_of(one);
      const Exporting exporting{{.problem = problem_in(one, sizes.back() / exported_element),
                                 .parameters = parameters_of(one),
                                 .element_size = exported_element,
                                 .model = model.get(),
                                 .places = places_of(request, ranks_of(request))},
                                each.counterparts};
      const SizeRange range{sizes.front(), sizes.back()};
      if (progress) progress(done++);
      const auto there = winner_ranges_of(
          [&](std::int64_t bytes) {
            const std::optional<Choice> fastest = fastest_there(exporting, bytes);
            return fastest ? fastest->algorithm : nullptr;
          },
          range);
      const auto missing = winner_ranges_of([&](std::int64_t bytes) { return missing_there(exporting, bytes); }, range);
      if (!there.empty()) each.add(exporting, there);
      found += text_of(exporting, there, missing) + kept_text(exporting, sizes);
    }
    write_file(each.file, each.text());
    text += fmt::format("{}; {}\n{}Kept in {}\n", each.file == request.mpich_json ? "MPICH" : "Open MPI",
                        model->describe(), found, each.file);
  }
  if (progress) clear_progress_bar();
  return {text};
}

}  // namespace tutti::app

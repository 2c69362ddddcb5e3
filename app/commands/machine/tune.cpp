/// @file
/// `tutti tune`: measures what messages cost on this machine, and keeps it as the profile by which tutti chooses.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>

#include "app/command_line/files.hpp"
#include "app/command_line/picture_file.hpp"
#include "app/command_line/terminal.hpp"
#include "app/commands/machine/launched.hpp"
#include "app/commands/machine/observed_worlds.hpp"
#include "app/commands/subcommands.hpp"
#include "app/options/request.hpp"
#include "base/check.hpp"
#include "base/system/environment.hpp"
#include "base/system/tell_user.hpp"
#include "base/text/one_line.hpp"
#include "base/text/short_file.hpp"
#include "base/text/table.hpp"
#include "base/units.hpp"
#include "draw/plots/plot.hpp"
#include "measure/machine.hpp"
#include "predict/profile/calibration.hpp"
#include "runtime/run_threads.hpp"
#include "tuning/brief_look.hpp"
#include "tuning/observe.hpp"
#include "tutti/run.hpp"
#include "tutti/world.hpp"

namespace tutti::app {
namespace {

constexpr int most_ranks_tuned = 8;  // the model plays as many

struct TuneRequest : Request {
  std::optional<Transport> transport;
  std::optional<int> tuned_ranks;
  std::optional<double> given_budget;  // seconds
  bool brief = false;
  bool measurements = false;
  std::optional<std::string> output;
  std::optional<std::string> plot;
};

double budget_of(const TuneRequest& request) { return request.given_budget.value_or(30); }

// Returns the seconds for measuring: the budget without the part for fitting.
double measuring_seconds(const TuneRequest& request) { return (request.measurements ? 1 : 0.85) * budget_of(request); }

int ranks_outnumbering_cores() { return std::clamp(2 * measure::cores(), 2, most_ranks_tuned); }

int ranks_of(const TuneRequest& request) { return request.tuned_ranks.value_or(ranks_outnumbering_cores()); }

std::string value_in_words(const CostField& field, double value) {
  switch (field.kind) {
    case CostField::Kind::seconds:
      break;
    case CostField::Kind::seconds_a_byte:
      return fmt::format("{} a byte", text_of(Seconds{value}));
    case CostField::Kind::part:
      return fmt::format("{:.0f} %", 100 * value);
    case CostField::Kind::bytes:
      return fmt::format("{:.0f}KiB", value / 1024);
  }
  return text_of(Seconds{value});
}

std::string report(const MeasuredCosts& measured, Transport transport, const std::string& file) {
  std::vector<std::vector<std::string>> rows{{"COST", "MEASURED"}};
  if (measured.on_shared_cores) rows.front().push_back("ON SHARED CORES");
  rows.front().push_back("BUILT IN");
  for (const CostField& field : cost_fields()) {
    rows.push_back({std::string(field.name), value_in_words(field, measured.costs.*field.value)});
    if (measured.on_shared_cores)
      rows.back().push_back(value_in_words(field, (*measured.on_shared_cores).*field.value));
    rows.back().push_back(value_in_words(field, built_in_costs(transport).*field.value));
  }
  constexpr double doubtful = 0.5;
  const std::string_view doubt = measured.median_error > doubtful
                                     ? "That is too much: other work disturbed the machine. Tune again when it rests.\n"
                                     : "";
  return fmt::format(
      "{} on {}\n\n{}\nOf {} measurements, half are predicted with an error of at most {:.0f} %, nine tenths of at "
      "most {:.0f} %.\n{}Kept in {}\n",
      name_of(transport), machine_identity(), screen_table(rows), measured.observations, 100 * measured.median_error,
      100 * measured.worst_error, doubt, file);
}

// The all-reduces of the most ranks: what was measured as dots, what the costs predict as lines.
std::string plot_of(const MeasuredCosts& measured, const std::vector<Observation>& observations, Transport transport) {
  const int ranks = observations.back().problem.ranks;
  const std::vector<double> predicted = predictions(measured, observations);
  std::vector<draw::Series> lines;
  const auto line = [&](const std::string& name, draw::LineKind kind) -> draw::Series& {
    for (draw::Series& each : lines) {
      if (each.name == name) return each;
    }
    return lines.emplace_back(draw::Series{name, {}, kind});
  };
  for (std::size_t k = 0; k < observations.size(); ++k) {
    const Observation& each = observations[k];
    if (each.problem.collective != Collective::all_reduce || each.problem.ranks != ranks) continue;
    const auto bytes = static_cast<double>(each.problem.count * each.element_size);
    const std::string name(each.choice.algorithm->name);
    line(name, draw::LineKind::computed).samples.push_back({bytes, predicted[k]});
    line(name + " (measured)", draw::LineKind::measured).samples.push_back({bytes, each.seconds});
  }
  return draw::svg_of({.title = fmt::format("all-reduce over {} ranks ({})", ranks, name_of(transport)),
                       .x = {"size of the message", draw::AxisUnit::bytes},
                       .y = {"time of a call", draw::AxisUnit::seconds},
                       .series = std::move(lines)});
}

std::string file_of(const TuneRequest& request) {
  std::string file = request.output.value_or(own_profile_file());
  if (!file.empty()) return file;
  const bool is_barred = environment_variable("TUTTI_PROFILE") != nullptr;
  fail(ErrorCode::invalid_argument, "there is no place for the profile, because {}; name one: -o FILE.json",
       is_barred ? "TUTTI_PROFILE=built-in bars what is measured"
                 : "neither HOME nor XDG_CONFIG_HOME names a folder from the root on");
}

// A folder that the user names is there, or misspelt.
std::error_code make_folder(const TuneRequest& request) {
  return request.output ? std::error_code() : make_folder_for(file_of(request));
}

// Nobody measures for half a minute what has no place then: a file is made beside the profile's that has room for its
// successor, and removed.
void check_place(const TuneRequest& request) {
  const std::error_code no_folder = make_folder(request);
  const std::string file = file_of(request);
  const auto demand = [&](bool holds, std::string_view why) {
    require(holds, "the profile {} cannot be written: {}; name another: -o FILE.json", file, why);
  };
  demand(!no_folder, no_folder.message());
  std::error_code none;
  const bool is_there = std::filesystem::exists(file, none);
  demand(!is_there || std::filesystem::is_regular_file(file, none), "it is no regular file");
  constexpr std::size_t of_one_measurement = 4096;  // at most: its costs and how well they fit
  const std::size_t before = is_there ? static_cast<std::size_t>(std::filesystem::file_size(file, none)) : 0;
  const std::string beside = fmt::format("{}.{}", file, getpid());
  const bool has_room = put_in_file(beside, std::string(before + of_one_measurement, ' '));
  const int why = errno;
  std::filesystem::remove(beside, none);
  demand(has_room, std::strerror(why));
}

// Keeps the measurements of other transports, and the winners of trials.
StoredProfile keep_in(const TuneRequest& request, const std::function<void(StoredProfile&)>& change) {
  make_folder(request);
  ChangedProfile changed = change_profile(file_of(request), change);
  if (!changed.set_aside.empty()) tell_user("tutti: {}\n", one_line(changed.set_aside));
  return std::move(changed.profile);
}

// Processes with heaps of their own cannot measure what those that share them take.
QuickCalibration no_shared_heap() {
  return {.costs = std::nullopt, .words = "because its processes shared no heap when it was first used"};
}

// Keeps earlier measurements rather than the built-in costs of a first look.
Outcome keep_quick_calibration(const TuneRequest& request, Transport transport, const QuickCalibration& found) {
  const StoredProfile profile = keep_in(request, [&](StoredProfile& kept) {
    if (found.costs) kept.measured[transport] = found.costs;
    kept.first_use[transport] = found.words;
  });
  if (request.json) return {text_of(profile)};
  if (!found.costs) return {fmt::format("built-in costs, {}\n", found.words)};
  return {report(*found.costs, transport, file_of(request))};
}

// Two threads, and as many as outnumber the cores, of which the cost of a turn shows. Only those that do not outnumber
// them can tell whether they had their cores.
BriefLook look_at_threads() {
  BriefLook all;
  for (const int ranks : {2, ranks_outnumbering_cores()}) {
    runtime::run_threads(ranks, [&](Communicator& comm) {
      const BriefLook look = look_briefly(comm, threads_costs);
      if (comm.rank() != 0) return;
      all.observations.insert(all.observations.end(), look.observations.begin(), look.observations.end());
      all.again.insert(all.again.end(), look.again.begin(), look.again.end());
      if (ranks <= measure::cores()) all.had_cores = look.had_cores;
    });
  }
  return all;
}

void check_enough_is_observed(const Observed& observed, double budget) {
  const std::size_t fewest = 10 * cost_fields().size();
  const double each = observed.seconds / static_cast<double>(observed.made);
  require(observed.made >= std::min(fewest, observed.trials),
          "within {} only {} of {} measurements could be made, and costs are fitted to {} at least, so that nothing is "
          "kept; allow more: --budget {}s",
          text_of(Seconds{budget}), observed.made, observed.trials, fewest,
          std::ceil(std::max(1.0, 1.5 * static_cast<double>(fewest) * each)));
}

Outcome keep(const TuneRequest& request, Transport transport, const std::vector<Observation>& observations) {
  const std::string file = file_of(request);
  const Progress progress = progress_bar("fitting", 100);
  const MeasuredCosts measured = fit_by_cores(built_in_costs(transport), observations, [&](double part) {
    if (progress) progress(static_cast<std::size_t>(100 * part));
  });
  if (progress) clear_progress_bar();
  const StoredProfile profile = keep_in(request, [&](StoredProfile& kept) { kept.measured[transport] = measured; });
  if (request.plot) write_picture(*request.plot, plot_of(measured, observations, transport));
  return {request.json ? text_of(profile) : report(measured, transport, file)};
}

void read_and_check(TuneRequest& request) {
  read_values(request);
  require(budget_of(request) > 0, "a budget is more than 0 s, not {} s", budget_of(request));
  if (request.plot) check_picture_file(*request.plot);
  if (request.output) check_output_file(*request.output, {".json"});
  const Transport transport = request.transport.value_or(Transport::processes);
  const bool asks_for_more = (transport != Transport::processes && transport != Transport::threads) ||
                             request.tuned_ranks.value_or(2) != 2 || request.given_budget || request.plot;
  const bool keeps = request.json || request.brief || request.output || request.plot;
  require(!request.measurements || !keeps,
          "--measurements prints what was measured and keeps nothing; leave --json, --brief, -o and --plot out");
  require(!request.brief || !asks_for_more,
          "--brief looks at processes or at threads for a quarter of a second, and draws nothing; leave other "
          "transports, --ranks, --budget and --plot out");
  if (!request.measurements) check_place(request);
}

// The launcher's ranks are a world already: fewer of them are measured while the others wait.
Outcome observe_launched(const TuneRequest& request, Transport transport) {
  const int ranks = world().size();
  const std::vector<int> sizes = request.measurements ? std::vector<int>{ranks} : sizes_observed(ranks);
  const Observed observed = observe(world(), sizes, measuring_seconds(request), measuring_bar(world()));
  clear_measuring_bar(world());
  if (request.measurements) return {json_of(observed.observations)};
  check_enough_is_observed(observed, budget_of(request));
  return world().rank() == 0 ? keep(request, transport, observed.observations) : Outcome{};
}

Outcome tune_launched(TuneRequest& request, const Launched& launched) {
  const auto prepare = [&] {
    read_and_check(request);
    check_transport(launched, request.transport);
    require(world().size() >= 2 && world().size() <= most_ranks_tuned, "tune measures 2 to {} ranks, not {}",
            most_ranks_tuned, world().size());
    check_ranks(launched, request.tuned_ranks);
    require(!request.brief || (world().size() == 2 && is_of_processes(launched.transport)),
            "--brief looks at two processes of this machine, not at {} ranks of {}", world().size(), launched.launcher);
  };
  return speak_as_ranks(launched, prepare, [&]() -> Outcome {
    if (request.brief) {
      QuickCalibration found = no_shared_heap();
      if (launched.transport == Transport::processes) {
        const BriefLook look = look_briefly(world(), processes_costs);
        if (world().rank() == 0) found = quick_calibration(processes_costs, look);
      }
      return world().rank() == 0 ? keep_quick_calibration(request, Transport::processes, found) : Outcome{};
    }
    return observe_launched(request, launched.transport);
  });
}

Outcome tune(TuneRequest& request) {
  if (const auto start = launched()) return tune_launched(request, *start);
  read_and_check(request);
  require(request.transport != Transport::mpi, "ranks of MPI are started by an mpirun: mpirun -n {} tutti tune",
          ranks_of(request));
  if (request.brief && request.transport == Transport::threads)
    return keep_quick_calibration(request, Transport::threads, quick_calibration(threads_costs, look_at_threads()));
  if (request.brief) start_again_as_ranks(2, Transport::processes);
  const Transport transport = request.transport.value_or(Transport::threads);
  const Observed observed = observe_worlds(transport, ranks_of(request), measuring_seconds(request));
  if (request.measurements) return {json_of(observed.observations)};
  check_enough_is_observed(observed, budget_of(request));
  return keep(request, transport, observed.observations);
}

}  // namespace

void add_tune(Command command, Chosen& chosen) {
  const auto request = std::make_shared<TuneRequest>();
  command.add_flag("--json", request->json, "Print the profile; the command's reference names its fields");
  command.add_flag("--brief", request->brief,
                   "Look at two processes, or at threads with --transport threads, for a quarter of a second, as the "
                   "first use of a machine does");
  command.add_flag("--measurements", request->measurements,
                   "Print what was measured, as JSON, and keep nothing; of a launcher's ranks all together");
  const auto add = [&](const char* name, const char* type, const char* help, auto read) {
    add_value(command, *request, name, type, help,
              [r = request.get(), read](const std::string& text) { read(*r, text); });
  };
  add("--transport", "NAME",
      "What connects the ranks: threads (the default), processes, or system-copies; a launcher's own where one has "
      "started this",
      [](TuneRequest& r, const std::string& text) { r.transport = parse_transport(text); });
  add("--ranks", "N", "The most ranks that are measured together, 2 to 8; twice as many as there are cores",
      [](TuneRequest& r, const std::string& text) {
        r.tuned_ranks = static_cast<int>(parse_integer(text, "a number of ranks", 2, most_ranks_tuned));
      });
  add("--budget", "TIME", "How long to measure; 30s",
      [](TuneRequest& r, const std::string& text) { r.given_budget = parse_seconds(text).count; });
  add("-o,--output", "FILE.json", "Where to keep the profile, instead of the place where tutti looks for it",
      [](TuneRequest& r, const std::string& text) { r.output = text; });
  add("--plot", "FILE", "Draw what was measured beside what the costs predict: FILE.svg, .pdf, .png or .tex",
      [](TuneRequest& r, const std::string& text) { r.plot = text; });
  command.set_footer(
      "Examples:\n  tutti tune\n  tutti tune --transport processes --budget 1min --plot fit.svg\n"
      "  mpirun -n 4 tutti tune");
  command.when_chosen([request, &chosen] { chosen = [request] { return tune(*request); }; });
}

}  // namespace tutti::app

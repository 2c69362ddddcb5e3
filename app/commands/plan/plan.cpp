/// @file
/// `tutti plan`: which algorithm is chosen, what each is predicted and measured to take, and why.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "app/command_line/outcome.hpp"
#include "app/command_line/picture_file.hpp"
#include "app/commands/machine/launched.hpp"
#include "app/commands/plan/network_model.hpp"
#include "app/commands/plan/plan_checks.hpp"
#include "app/commands/plan/plan_export.hpp"
#include "app/commands/plan/plan_request.hpp"
#include "app/commands/plan/plan_rivals.hpp"
#include "app/commands/plan/planned.hpp"
#include "app/commands/subcommands.hpp"
#include "app/options/machine_options.hpp"
#include "app/options/node_options.hpp"
#include "app/options/request.hpp"
#include "app/options/simulation_options.hpp"
#include "app/options/values.hpp"
#include "base/check.hpp"
#include "base/text/nearest_name.hpp"
#include "base/units.hpp"
#include "measure/machine.hpp"
#include "plan/rules.hpp"
#include "predict/model/machine_model.hpp"
#include "predict/profile/stored_profile.hpp"
#include "runtime/new_machine.hpp"
#include "tutti/world.hpp"

namespace tutti::app {
namespace {

constexpr int most_ranks_run = 4096;
constexpr int most_ranks_uneven = 64;

// A network that is only described.
Prices prices_on_network(const PlanRequest& request, const Problem& problem, const std::vector<std::int64_t>& sizes) {
  PricingRequest question{.problem = problem,
                          .topology = network_of(request),
                          .machine = request.machine,
                          .algorithms = fitting_algorithms(problem, layout_of(request)),
                          .parameters = parameters_of(request),
                          .layout = layout_of(request),
                          .traffic = options_of(request.shared),
                          .beyond_forms = !beyond_forms(request.shared).empty()};
  check(question.machine);
  return {std::move(question), sizes};
}

void check(const PlanRequest& request) {
  require(request.collective.has_value(), "plan needs a collective, such as: tutti plan all-reduce --bytes 1MiB");
  require(!request.topology || (!request.transport && !request.cores),
          "--transport and --cores are of this machine; leave them out, or --topology");
  require(request.topology || beyond_forms(request.shared).empty(),
          "{} is of a network; name it with --topology, or leave {} out", beyond_forms(request.shared),
          beyond_forms(request.shared));
  require(request.topology || (request.machine == Machine{} && !request.names_node_links),
          "--switching, --ports, --packet, --ts, --tw and other times of messages are of a network; name it with "
          "--topology, or leave them out");
  require(request.skew.empty() || !request.run, "measured ranks all begin at once; leave --skew or --run out");
  require(request.skew.empty() || ranks_of(request) <= most_ranks_uneven,
          "ranks that come unevenly are played or simulated one by one: at most {}, not {}", most_ranks_uneven,
          ranks_of(request));
  require(!request.rules || !request.topology, "rules are for calls of programs; leave --rules or --topology out");
  require(!request.run || !request.topology,
          "a network that is described cannot be run; leave --run or --topology out");
  require(!request.run || !request.nodes, "several nodes cannot be run on one machine; leave --run or --nodes out");
  require(!request.run || !request.cores, "ranks run on the cores that there are; leave --run or --cores out");
  require(!request.run || (request.root.value_or(0) == 0), "what is run has root 0; leave --run or --root {} out",
          request.root.value_or(0));
  require(!request.run || !request.grid, "what is run has the grid that algorithms take; leave --run or --grid out");
  require(
      !request.run || !(request.segments || request.radix),
      "what is run has the segments and the radix that algorithms take; leave --run out, or --segments and --radix");
  require(!request.run || ranks_of(request) <= most_ranks_run, "at most {} ranks are run, not {}", most_ranks_run,
          ranks_of(request));
  if (request.plot) check_picture_file(*request.plot);
}

Outcome outcome_of(const PlanRequest& request, const PlanQuestion& question, const std::vector<std::int64_t>& sizes,
                   const Measurements& measurements) {
  const Planned planned = plan_sizes(question, sizes, measurements);
  if (request.plot) write_picture(*request.plot, plan_plot(planned));
  return {request.json ? plan_json(planned) : plan_text(planned)};
}

Outcome plan_on_network(const PlanRequest& request) {
  const std::vector<std::int64_t> sizes = sizes_of(request);
  const Problem problem = problem_in(request, sizes.back());
  Prices prices = prices_on_network(request, problem, sizes);
  const NetworkModel even(prices);
  std::optional<UnevenNetworkModel> uneven;
  if (!request.skew.empty()) uneven.emplace(prices, skews_of(request.skew, problem.ranks));
  constexpr int most_ranks_searched = 64;  // each price may be a simulation
  const PlanQuestion question{
      .problem = problem,
      .parameters = parameters_of(request),
      .model = uneven ? static_cast<const CostModel*>(&*uneven) : &even,
      .even = uneven ? &even : nullptr,
      .search = problem.ranks <= most_ranks_searched ? CrossoverSearch::other_sizes : CrossoverSearch::this_size};
  return outcome_of(request, question, sizes, {});
}

// A machine's ranks differ in when they come, and not in how fast they are.
std::vector<double> starts_of(const PlanRequest& request, int ranks) {
  std::vector<double> starts;
  for (const Skew& skew : skews_of(request.skew, ranks)) {
    require(skew.slowness == 1,
            "ranks of a machine combine at one speed; leave :x{} of --skew out, or name a --topology", skew.slowness);
    starts.push_back(skew.start);
  }
  return starts;
}

Outcome plan_here(const PlanRequest& request, const std::function<Measurements(const Problem&)>& measured) {
  const std::vector<std::int64_t> sizes = sizes_of(request);
  const Problem problem = problem_in(request, sizes.back() / std::int64_t{sizeof(double)});
  const auto even = model_of_machine(request, problem.ranks);
  std::optional<UnevenModel> uneven;
  if (!request.skew.empty()) uneven.emplace(*even, starts_of(request, problem.ranks));
  const PlanQuestion question{.problem = problem,
                              .parameters = parameters_of(request),
                              .element_size = sizeof(double),
                              .model = uneven ? static_cast<const CostModel*>(&*uneven) : even.get(),
                              .rules = rules_of(request),
                              .even = uneven ? even.get() : nullptr,
                              .places = places_of(request, problem.ranks),
                              .error = error_of_machine(request),
                              .heeds_environment = true};
  Outcome outcome = outcome_of(request, question, sizes, measured(problem));
  if (sizes.size() == 1 && sizes.front() % std::int64_t{sizeof(double)} != 0) {
    const std::int64_t doubles = std::max<std::int64_t>(1, sizes.front() / std::int64_t{sizeof(double)});
    outcome.notes.push_back(fmt::format("a machine's plans are for doubles, of 8 bytes each: {} are planned as {}",
                                        text_of(Bytes{sizes.front()}), counted(doubles, "double")));
  }
  return outcome;
}

// Before ranks are started that would refuse them, each for itself.
void check_sizes_run(const PlanRequest& request) {
  const std::vector<std::int64_t> sizes = sizes_of(request);
  check_measurable(problem_in(request, sizes.back() / std::int64_t{sizeof(double)}), sizes);
}

Measurements measure_threads(const PlanRequest& request, const Problem& problem) {
  const std::vector<std::int64_t> sizes = sizes_of(request);
  check_measurable(problem, sizes);
  Measurements measurements;
  run(problem.ranks, [&](Communicator& comm) {
    Measurements of_rank = measure_all(comm, problem, sizes, request.effort);
    if (comm.rank() == 0) measurements = std::move(of_rank);
  });
  return measurements;
}

Outcome plan_launched(PlanRequest& request, const Launched& launched) {
  const auto prepare = [&] {
    const int ranks = world().size();
    read_values(request);
    check(request);
    check_transport(launched, request.transport);
    set_ranks(request, {ranks, ranks}, fmt::format("{} of {}", launched.launcher, counted(ranks, "rank")));
    request.transport = launched.transport;
    check_sizes_run(request);
  };
  return speak_as_ranks(launched, prepare, [&] {
    return plan_here(request, [&](const Problem& problem) {
      return measure_all(world(), problem, sizes_of(request), request.effort);
    });
  });
}

Outcome plan(PlanRequest& request) {
  const auto start = launched();
  if (start && request.run) return request.check ? check_launched(request, *start) : plan_launched(request, *start);
  read_values(request);
  if (request.topology) check_switching(request.machine);
  if (request.openmpi_rules || request.mpich_json || request.mpich_defaults) {
    tell_notes(std::exchange(request.notes, {}));
    return export_choices(request);
  }
  if (request.rivals) return compare_with_rivals(request);
  if (request.check) return check_choices(request);
  check(request);
  if (request.topology) return plan_on_network(request);
  runtime::look_at_new_machine(request.transport.value_or(Transport::threads), 2, own_program());
  if (!request.run) return plan_here(request, [](const Problem&) { return Measurements{}; });
  require(request.transport != Transport::mpi, "ranks of MPI are started by an mpirun: mpirun -n {} tutti plan … --run",
          ranks_of(request));
  if (is_of_processes(request.transport)) {
    check_sizes_run(request);
    start_again_as_ranks(ranks_of(request), *request.transport);
  }
  return plan_here(request, [&](const Problem& problem) { return measure_threads(request, problem); });
}

void add_plan_options(Command& command, PlanRequest& request) {
  const auto add = [&](const char* name, const char* type, const char* help, auto read) {
    add_value(command, request, name, type, help, [&request, read](const std::string& text) { read(request, text); });
  };
  command.remove_option("--algorithm");
  command.remove_option("--bytes");
  command.remove_option("--count");
  add("--bytes", "SIZE|A..B", "m, by the collective's own convention, in doubles; or a range of sizes",
      [](PlanRequest& r, const std::string& text) { r.sizes = parse_sizes(text); });
  add("--transport", "NAME",
      "What connects the ranks of a node: threads (the default), processes, system-copies, or mpi",
      [](PlanRequest& r, const std::string& text) { r.transport = parse_transport(text); });
  add("--cores", "N", "How many cores each node has; as many as this machine",
      [](PlanRequest& r, const std::string& text) {
        r.cores = static_cast<int>(parse_integer(text, "a number of cores", 1, most_ranks_asked));
      });
  command.add_flag("--check", request.check,
                   "Hold what is predicted against performance guidelines; names no collective");
  command.add_flag("--rivals", request.rivals,
                   "Hold the choice on networks against what Open MPI and MPICH take; names no collective");
  command.add_flag("--run", request.run, "Measure every algorithm, too, with that many ranks on this machine");
  add("--seconds", "TIME",
      "With --run: most time for one algorithm while its median is not stable, and again for warming up (200ms)",
      [](PlanRequest& r, const std::string& text) { r.effort.seconds = parse_seconds(text).count; });
  command.let_need("--seconds", "--run");
  add("--rules", "FILE",
      "An administrator's rules, instead of those that programs look for; the reference of files says how they read",
      [](PlanRequest& r, const std::string& text) { r.rules = text; });
  add("--openmpi-rules", "FILE", "Write the choice as rules of Open MPI 4.1 (coll_tuned_dynamic_rules_filename)",
      [](PlanRequest& r, const std::string& text) { r.openmpi_rules = text; });
  add("--mpich-json", "FILE.json", "Write the choice as MPICH 4.0's MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE",
      [](PlanRequest& r, const std::string& text) { r.mpich_json = text; });
  add("--mpich-defaults", "FILE",
      "MPICH's own choices, which that file repeats; those of the library that is installed",
      [](PlanRequest& r, const std::string& text) { r.mpich_defaults = text; });
  add("--skew", "RANK:TIME,…", "Ranks that come late, such as 3:5us; the best algorithm for one such call is chosen",
      [](PlanRequest& r, const std::string& text) { r.skew = parse_skews(text); });
  add("--plot", "FILE", "Draw time against size, and where another algorithm takes over: FILE.svg, .pdf, .png or .tex",
      [](PlanRequest& r, const std::string& text) { r.plot = text; });
}

}  // namespace

void add_plan(Command command, Chosen& chosen) {
  const auto request = std::make_shared<PlanRequest>();
  add_collective(command, *request);
  add_problem(command, *request, ", or with --check a range of them");
  command.remove_option("--counts");  // a plan is by sizes
  add_nodes(command, *request, "Each node is a machine like this one, with MPI between nodes");
  add_plan_options(command, *request);
  add_machine(command, *request, request->machine);
  add_traffic(command, *request, request->shared);
  command.set_footer(
      "Without --topology this machine is planned for, by the costs by which tutti chooses; with it the network, by\n"
      "closed forms and simulation, as tutti price does.\n"
      "Examples:\n  tutti plan all-reduce --ranks 4 --bytes 1MiB --run\n  tutti plan broadcast --ranks 64 --cores 64 "
      "--bytes 8..16MiB --plot broadcast.svg\n"
      "  tutti plan all-gather --nodes 4x8 --bytes 64KiB --json\n  tutti plan all-reduce --topology torus:8x8 --bytes "
      "1MiB");
  command.when_chosen(
      [request, &chosen] { chosen = [request] { return with_notes(plan(*request), request->notes); }; });
}

}  // namespace tutti::app

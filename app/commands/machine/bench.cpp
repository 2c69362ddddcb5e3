/// @file
/// `tutti bench`: what a collective takes on this machine, and what the machine would allow.

#include <fmt/format.h>
#include <sched.h>

#include <chrono>
#include <functional>
#include <memory>
#include <thread>

#include "algorithms/catalogue.hpp"
#include "app/command_line/outcome.hpp"
#include "app/command_line/picture_file.hpp"
#include "app/command_line/terminal.hpp"
#include "app/commands/machine/bench_report.hpp"
#include "app/commands/machine/launched.hpp"
#include "app/commands/machine/processors.hpp"
#include "app/commands/machine/schedule_algorithm.hpp"
#include "app/commands/subcommands.hpp"
#include "app/options/request.hpp"
#include "app/options/user_program_request.hpp"
#include "app/options/values.hpp"
#include "base/check.hpp"
#include "base/system/environment.hpp"
#include "base/units.hpp"
#include "measure/limit.hpp"
#include "measure/machine.hpp"
#include "runtime/new_machine.hpp"
#include "tuning/measured_communicator.hpp"
#include "tutti/world.hpp"

namespace tutti::app {
namespace {

constexpr int most_ranks = 4096;

struct BenchRequest : Request {
  std::optional<int> ranks;
  std::optional<Transport> transport;
  SizeRange sizes{8, std::int64_t{16} << 20};
  bool sizes_given = false;
  measure::Effort effort;
  std::optional<std::string> plot;
  MeasuredMemory memory = MeasuredMemory::plain;
};

MeasuredMemory parse_memory(std::string_view text) {
  require(text == "plain" || text == "library", "memory is 'plain' or 'library', not '{}'", text);
  return text == "library" ? MeasuredMemory::library : MeasuredMemory::plain;
}

std::vector<measure::Cell> cells_of(const BenchRequest& request, int ranks) {
  const Collective collective = *request.collective;
  std::vector<measure::Cell> cells;
  const bool sized = collective != Collective::barrier;
  for (const std::int64_t bytes : sized ? sizes_in(request.sizes) : std::vector<std::int64_t>{0})
    cells.push_back({collective, ranks, bytes});
  for (const measure::Cell& cell : cells) {
    measure::check(cell);
    (void)measure::sets_for(cell);  // too large for the memory?
    if (request.algorithm)
      (void)algorithms::fitting({.collective = collective, .ranks = ranks, .count = cell.count()}, *request.algorithm);
  }
  return cells;
}

// Whether all ranks share one machine, whose memory then limits them; a collective call.
bool on_one_machine(Communicator& comm) {
  const auto mine = static_cast<std::int64_t>(std::hash<std::string>()(name_of_host()));
  return comm.all_reduce(mine, minimum) == comm.all_reduce(mine, maximum);
}

// Measured by rank 0 with threads of its own on the processors of all ranks, while the other ranks sleep and so leave
// it the cores.
double limit_on(const cpu_set_t& processors, Communicator& comm, const measure::Cell& cell,
                const measure::Effort& effort, const measure::Allocate& allocate) {
  double seconds = 0;
  if (comm.rank() == 0) {
    const Unbound unbound(processors);
    seconds = measure::limit_seconds(cell, effort, allocate);
    for (int rank = 1; rank < comm.size(); ++rank) comm.send(seconds, rank);
    return seconds;
  }
  Handle done = comm.receive_async(std::span(&seconds, 1), 0);
  while (!done.test()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return seconds;
}

// A collective call; the same rows on every rank but for the times of single ranks.
std::vector<BenchRow> measured_rows(Communicator& comm, const BenchRequest& request,
                                    const std::vector<measure::Cell>& cells) {
  MeasuredCommunicator measured(comm, request.memory, request.algorithm ? *request.algorithm : std::string_view());
  const Progress progress = comm.rank() == 0 ? progress_bar("measuring", cells.size()) : Progress();
  // Other ranks wait while rank 0 measures a limit, which takes some times the effort's seconds. That of the largest
  // sizes takes its time whatever the effort.
  comm.set_timeout(std::chrono::hours(1) + Duration(5 * request.effort.seconds));
  const bool limited = on_one_machine(comm);
  const cpu_set_t processors = processors_of_all(comm);
  measure::Effort half = request.effort;
  half.seconds /= 2;
  const auto limit = [&](const measure::Cell& cell) {
    return limited ? limit_on(processors, comm, cell, half, [&](std::size_t count) { return measured.allocate(count); })
                   : 0;
  };
  std::vector<BenchRow> rows;
  for (const measure::Cell& cell : cells) {
    if (progress) progress(rows.size());
    BenchRow row{
        .cell = cell,
        .algorithm = std::string(request.algorithm ? std::string_view(*request.algorithm)
                                                   : comm.algorithm_of(cell.collective, cell.count(), sizeof(double)))};
    row.predicted_seconds = comm.predicted_time(cell.collective, cell.count(), sizeof(double), row.algorithm).count();
    row.limit_before = limit(cell);
    row.measured = measure::measure(measured, cell, request.effort);
    row.limit_after = limit(cell);
    rows.push_back(row);
  }
  if (progress) clear_progress_bar();
  return rows;
}

Outcome outcome_of(const BenchRequest& request, const BenchRun& run) {
  if (request.plot) write_picture(*request.plot, bench_plot(run));
  return {request.json ? bench_json(run) : bench_table(run)};
}

Outcome bench_threads(const BenchRequest& request) {
  const int ranks = request.ranks.value_or(std::max(2, measure::cores()));
  const std::vector<measure::Cell> cells = cells_of(request, ranks);
  BenchRun result{.transport = Transport::threads, .rows = {}};
  run(ranks, [&](Communicator& comm) {
    std::vector<BenchRow> rows = measured_rows(comm, request, cells);
    if (comm.rank() == 0) result.rows = std::move(rows);
  });
  return outcome_of(request, result);
}

Outcome bench_processes(const BenchRequest& request) {
  const int ranks = request.ranks.value_or(std::max(2, measure::cores()));
  const std::vector<measure::Cell> cells = cells_of(request, ranks);
  if (ranks > 1) start_again_as_ranks(ranks, *request.transport);
  return outcome_of(request, {.transport = *request.transport, .rows = measured_rows(world(), request, cells)});
}

// A schedule's file in the place of a collective: its own algorithm, at its own size.
void take_schedule(BenchRequest& request) {
  require(request.user_kind == UserKind::schedule, "messages and programs are simulated, not run; leave them out");
  require(!request.algorithm && !request.plot,
          "a schedule is an algorithm of one size; leave --algorithm and --plot out");
  constexpr std::int64_t element = sizeof(double);
  Request own = request;
  if (request.sizes_given) {
    const std::int64_t bytes = one_size(request.sizes);
    require(bytes >= element, "what is measured has at least {} bytes, not {}", element, bytes);
    own.count = bytes / element;
  }
  UserProgram program = user_program(own);
  const Problem problem = program.schedule.problem;
  require(problem.root == 0 && problem.counts.empty() && problem.extra == 0 && !problem.in_place && problem.count > 0,
          "{} is {}; what is measured has root 0, even blocks, something to send, and is not in place",
          own.user_words.front(), describe(problem));
  require(!request.ranks || *request.ranks == problem.ranks, "{} is over {}; leave --ranks {} out",
          own.user_words.front(), counted(problem.ranks, "rank"), request.ranks.value_or(0));
  request.collective = problem.collective;
  request.ranks = problem.ranks;
  request.algorithm = own.user_words.front();
  const std::int64_t bytes = problem.count * element * (has_blocks(problem.collective) ? problem.ranks : 1);
  request.sizes = {bytes, bytes};
  request.notes = add_schedule(*request.algorithm, std::move(program));
}

void read_and_check(BenchRequest& request) {
  read_values(request);
  if (request.user_kind != UserKind::none) take_schedule(request);
  require(request.collective.has_value(), "bench needs a collective, such as: tutti bench all-reduce --ranks 4");
  const bool barrier = *request.collective == Collective::barrier;
  require(!barrier || !request.sizes_given, "a barrier moves no data; leave --bytes out");
  require(request.sizes.least >= std::int64_t{sizeof(double)},
          "a collective is measured with doubles, one at least; take sizes from 8B, not from {}",
          text_of(Bytes{request.sizes.least}));
  require(!barrier || !request.plot, "a barrier has no sizes to draw its time against; leave --plot out");
  if (request.plot) check_picture_file(*request.plot);
}

std::vector<measure::Cell> cells_of_launched(BenchRequest& request, const Launched& launched) {
  const int ranks = world().size();
  read_and_check(request);
  check_transport(launched, request.transport);
  check_ranks(launched, request.ranks);
  return cells_of(request, ranks);
}

// Measures the ranks as which a launcher has started this command; rank 0 speaks for all of them.
Outcome bench_launched(BenchRequest& request, const Launched& launched) {
  std::vector<measure::Cell> cells;
  return speak_as_ranks(
      launched, [&] { cells = cells_of_launched(request, launched); },
      [&]() -> Outcome {
        const BenchRun result{.transport = launched.transport, .rows = measured_rows(world(), request, cells)};
        const cpu_set_t processors = processors_of_all(world());
        if (world().rank() != 0) return {};
        const Unbound unbound(processors);  // the processors are counted in what is said of the machine
        return outcome_of(request, result);
      });
}

Outcome bench(BenchRequest& request) {
  if (const auto start = launched()) return bench_launched(request, *start);
  read_and_check(request);
  require(request.transport != Transport::mpi, "ranks of MPI are started by an mpirun: mpirun -n {} tutti bench …",
          request.ranks.value_or(2));
  runtime::look_at_new_machine(request.transport.value_or(Transport::threads), request.ranks.value_or(2),
                               own_program());
  return is_of_processes(request.transport) ? bench_processes(request) : bench_threads(request);
}

}  // namespace

void add_bench(Command command, Chosen& chosen) {
  const auto request = std::make_shared<BenchRequest>();
  add_collective(command, *request);
  add_user_words(command, *request, "After 'schedule': its file");
  const auto add = [&](const char* name, const char* type, const char* help, auto read) {
    add_value(command, *request, name, type, help,
              [r = request.get(), read](const std::string& text) { read(*r, text); });
  };
  add("--ranks", "N", "How many ranks; as many as there are cores, and two at least",
      [](BenchRequest& r, const std::string& text) {
        r.ranks = static_cast<int>(parse_integer(text, "a number of ranks", 1, most_ranks));
      });
  add("--transport", "NAME",
      "What connects the ranks: threads (the default), processes, or system-copies; a launcher's own where one has "
      "started this command",
      [](BenchRequest& r, const std::string& text) { r.transport = parse_transport(text); });
  add("--bytes", "SIZE|A..B", "A size of the message, or a range; 8..16MiB",
      [](BenchRequest& r, const std::string& text) {
        r.sizes = parse_sizes(text);
        r.sizes_given = true;
      });
  add("--algorithm", "NAME", "An algorithm's name or alias, instead of tutti's choice",
      [](BenchRequest& r, const std::string& text) { r.algorithm = text; });
  add("--seconds", "TIME", "Most time for one size while its median is not stable, and again for warming up (500ms)",
      [](BenchRequest& r, const std::string& text) { r.effort.seconds = parse_seconds(text).count; });
  add("--memory", "NAME",
      "Whose buffers: plain, of the C++ library (the default); or library, of Communicator::allocate",
      [](BenchRequest& r, const std::string& text) { r.memory = parse_memory(text); });
  add("--plot", "FILE", "Draw time against size: FILE.svg, .pdf, .png or .tex",
      [](BenchRequest& r, const std::string& text) { r.plot = text; });
  command.set_footer(
      "Elements are doubles, the operator is sum, the root is rank 0. The reference says what a size is.\n"
      "Examples:\n  tutti bench all-reduce\n  tutti bench broadcast --ranks 4 --transport processes --bytes "
      "1KiB..4MiB\n"
      "  tutti bench all-reduce --algorithm ring --bytes 1MiB --json\n  tutti bench all-gather --plot all-gather.svg\n"
      "  tutti bench schedule made.json    # its elements are doubles, too");
  command.when_chosen(
      [request, &chosen] { chosen = [request] { return with_notes(bench(*request), request->notes); }; });
}

}  // namespace tutti::app

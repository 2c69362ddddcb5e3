/// @file
/// `tutti price`: the algorithms that fit a problem, ranked by their closed forms, or by simulation where none holds.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "algorithms/catalogue.hpp"
#include "app/bottleneck.hpp"
#include "app/commands.hpp"
#include "app/meaning.hpp"
#include "app/network.hpp"
#include "app/nodes.hpp"
#include "app/offers.hpp"
#include "app/output_file.hpp"
#include "app/own_commands.hpp"
#include "app/price_plot.hpp"
#include "app/price_report.hpp"
#include "app/price_search.hpp"
#include "app/sizes.hpp"
#include "app/terminal.hpp"
#include "app/traffic_options.hpp"
#include "base/check.hpp"
#include "base/units.hpp"

namespace tutti::app {
namespace {

struct PriceRequest : Request {
  Machine machine;
  TrafficRequest traffic;
  std::optional<SizeRange> sizes;
  std::optional<std::string> plot;
  bool search = false;
  bool bottleneck = false;
  std::optional<std::string> embedding;
};

Question question_of(const PriceRequest& request) {
  require(request.collective.has_value(),
          "price needs a collective, such as: tutti price all-reduce --ranks 64 --bytes 1MiB");
  Question question{.problem = {},
                    .topology = network_of(request),
                    .machine = request.machine,
                    .algorithms = {},
                    .parameters = parameters_of(request),
                    .layout = layout_of(request),
                    .traffic = options_of(request.traffic),
                    .beyond_forms = !beyond_forms(request.traffic).empty()};
  if (request.names_node_links) question.node_links = request.node_links;
  check(question.machine);
  Request sized = request;
  if (*request.collective != Collective::barrier && !request.counts) sized.count = 1;
  question.problem = problem_of(sized, *request.collective, question.topology->ranks());
  if (request.algorithm) {
    question.algorithms = {&algorithms::fitting(question.problem, *request.algorithm, question.layout)};
    return question;
  }
  question.algorithms = fitting_algorithms(question.problem, question.layout);
  return question;
}

SizeRange asked_sizes(const PriceRequest& request, const Problem& problem) {
  if (!problem.counts.empty()) {
    require(!request.sizes && !request.plot, "--counts says how much each rank has; leave --bytes and --plot out");
    const std::int64_t all = std::accumulate(problem.counts.begin(), problem.counts.end(), std::int64_t{0});
    return {all, all};
  }
  const bool barrier = problem.collective == Collective::barrier;
  require(barrier || request.sizes, "price needs a size, such as --bytes 64KiB or --bytes 1KiB..1MiB");
  require(!barrier || !request.sizes, "a barrier moves no data; leave --bytes out");
  require(!barrier || !request.plot, "a barrier has no sizes to draw its time against; leave --plot out");
  return barrier ? SizeRange{0, 0} : *request.sizes;
}

// At most so many roots, spread over all ranks.
std::vector<int> roots_of(const PriceRequest& request, const Problem& problem) {
  constexpr int most_roots = 8;
  if (request.root || !has_root(problem.collective)) return {problem.root};
  const int count = std::min(problem.ranks, most_roots);
  std::vector<int> roots;
  for (int k = 0; k < count; ++k)
    roots.push_back(static_cast<int>(std::int64_t{k} * (problem.ranks - 1) / std::max(1, count - 1)));
  return roots;
}

SearchSpace space_of(const PriceRequest& request, const Question& question) {
  SearchSpace space{.roots = {question.problem.root}, .embeddings = {request.embedding.value_or("")}};
  if (request.topology) space.network_grid = request.grid;
  if (!request.search) return space;
  space.roots = roots_of(request, question.problem);
  if (request.embedding) return space;
  if (question.topology->name().starts_with("hypercube:")) space.embeddings.emplace_back("gray");
  if (space.network_grid) space.embeddings.emplace_back("line");
  return space;
}

// What the best of the first size waits for.
Outcome with_bottlenecks(const PriceRequest& request, const std::vector<Ways>& found, const Question& question,
                         const SearchSpace& space) {
  const std::string text = request.json ? "" : text_of(found, question);
  if (!request.bottleneck) return {request.json ? json_of(found, question).dump(2) + '\n' : text};
  require(!found.front().known.empty(), "no algorithm's time is known here; leave --bottleneck out");
  const Way& best = found.front().known.front();
  Problem problem = question.problem;
  problem.root = best.root;
  if (!has_one_size(problem)) problem.count = found.front().bytes;
  const TopologyPtr topology = placed_for(question, best.embedding, best.offer.parameters.grid, space);
  const Bottlenecks bound = bottlenecks({*best.offer.algorithm, best.offer.parameters}, problem, topology,
                                        question.machine, question.layout, question.traffic);
  if (!request.json) return {fmt::format("{}\nThe first of these, simulated:\n{}", text, text_of(bound, *topology))};
  Json fields = json_of(found, question);
  fields["bottleneck"] = json_of(bound, *topology);
  return {fields.dump(2) + '\n'};
}

Outcome price_all(const PriceRequest& request) {
  check_switching(request.machine);
  if (request.own != OwnKind::none) {
    require(!request.plot && !request.search && !request.bottleneck && !request.embedding,
            "a schedule has one time; leave --plot, --search, --bottleneck and --embedding out");
    Request own = request;
    if (request.sizes) own.count = one_size(*request.sizes);
    return price_own(own, request.machine, request.traffic);
  }
  Question question = question_of(request);
  const SizeRange asked = asked_sizes(request, question.problem);
  const bool one = has_one_size(question.problem);
  if (request.search || request.bottleneck || request.embedding) {
    require(!request.plot, "a search, --bottleneck and --embedding draw no plot; leave --plot out");
    const SearchSpace space = space_of(request, question);
    return with_bottlenecks(request, search_ways(question, sizes_in(asked), space), question, space);
  }
  if (request.plot) check_output_file(*request.plot, {".svg"});
  const SizeRange ruled = asked.least < asked.most ? asked : SizeRange{};
  const std::vector<std::int64_t> listed = sizes_in(asked);
  Prices prices(std::move(question), listed, request.plot ? sizes_drawn(ruled, listed).size() - listed.size() : 0);
  const Reigns winners = one ? Reigns{} : prices.reigns(ruled);
  if (request.plot) write_file(*request.plot, price_plot(prices, ruled, winners.all));
  if (request.json) return {report_json(prices, winners).dump(2) + '\n'};
  return {report_text(prices, winners)};
}

constexpr const char* footer =
    "Where an algorithm has no closed form on the network, its time is simulated, and marked as such; with "
    "--routing,\n"
    "--background, --injection or --eager all are.\n"
    "Who is fastest is given and drawn for the range, or for 1B to 1GiB where one size is named.\n"
    "Examples:\n  tutti price all-reduce --ranks 64 --bytes 1MiB\n  tutti price broadcast --topology torus:8x8 "
    "--switching store-and-forward --bytes 1KiB..1MiB\n"
    "  tutti price all-to-all --ranks 16 --bytes 64 --tc 0.1ns --json\n  tutti price all-reduce --ranks 64 --bytes "
    "1B..1GiB --plot all-reduce.svg\n"
    "  tutti price all-reduce --nodes 16x8 --ts-inside 0.2us --tw-inside 0.1ns --ts-outside 2us --tw-outside 0.1ns "
    "--bytes 8..16MiB\n"
    "  tutti price broadcast --topology torus:4x4 --switching cut-through --bytes 1MiB --search --bottleneck\n"
    "  tutti price all-gather --ranks 4 --counts 1000,0,0,5000\n"
    "  tutti price schedule mine.json --topology torus:4x4\n"
    "  tutti price all-to-all --topology clos:8x4x4 --bytes 64KiB --routing ecmp --background 8";

}  // namespace

void add_price(Command& program, Chosen& chosen) {
  const auto request = std::make_shared<PriceRequest>();
  Command command =
      program.add_command("price", "What algorithms cost, by closed forms or by simulation, and which one is fastest");
  add_collective(command, *request);
  add_own(command, *request, "After 'schedule': its file");
  add_problem(command, *request);
  add_nodes(command, *request,
            "Without --topology a switch a node, a cable to each rank and one to the switch between");
  // Sizes alone say how much there is, and here a range will do.
  command.remove_option("--bytes");
  command.remove_option("--count");
  add_value(command, *request, "--bytes", "SIZE|A..B", "m, by the collective's own convention, or a range of sizes",
            [&sizes = request->sizes](const std::string& text) { sizes = parse_sizes(text); });
  add_value(command, *request, "--plot", "FILE.svg", "Draw time against size, and where another algorithm takes over",
            [&plot = request->plot](const std::string& text) { plot = text; });
  add_machine(command, *request, request->machine);
  add_traffic(command, *request, request->traffic);
  command.add_flag("--search", request->search,
                   "Search what is left open, too: segments, grids, roots, and where the ranks sit");
  add_value(command, *request, "--embedding", "PLACES", "Where the ranks sit: gray, line, or 0,2,1,3; see simulate",
            [&embedding = request->embedding](const std::string& text) { embedding = text; });
  command.add_flag("--bottleneck", request->bottleneck,
                   "Simulate the best, and say which links are the fullest and what faster ones would gain");
  command.set_footer(footer);
  command.when_chosen([request, &chosen] {
    chosen = [request] {
      read_values(*request);
      return price_all(*request);
    };
  });
}

}  // namespace tutti::app

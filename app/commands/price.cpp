/// @file
/// `tutti price`: the algorithms that fit a problem, ranked by their closed forms, or by simulation where none holds.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/command_line/outcome.hpp"
#include "app/command_line/picture_file.hpp"
#include "app/command_line/terminal.hpp"
#include "app/commands/subcommands.hpp"
#include "app/commands/user_commands.hpp"
#include "app/options/machine_options.hpp"
#include "app/options/node_options.hpp"
#include "app/options/price_request.hpp"
#include "app/options/setting_options.hpp"
#include "app/options/traffic_options.hpp"
#include "app/options/values.hpp"
#include "app/reports/bottleneck_report.hpp"
#include "app/reports/descriptions.hpp"
#include "app/reports/prices/price_plot.hpp"
#include "app/reports/prices/price_report.hpp"
#include "app/reports/prices/price_table.hpp"
#include "app/reports/search_report.hpp"
#include "app/reports/symbolic/price_report.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "pricing/bottleneck.hpp"
#include "pricing/prices.hpp"
#include "pricing/search.hpp"

namespace tutti::app {
namespace {

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

SearchSpace space_of(const PriceRequest& request, const PricingRequest& pricing) {
  SearchSpace space{.roots = {pricing.problem.root}, .embeddings = {request.embedding.value_or("")}};
  if (request.topology) space.network_grid = request.grid;
  if (!request.search) return space;
  space.roots = roots_of(request, pricing.problem);
  if (request.embedding) return space;
  if (pricing.topology->name().starts_with("hypercube:")) space.embeddings.emplace_back("gray");
  if (space.network_grid) space.embeddings.emplace_back("line");
  return space;
}

// Adds the links that the best of the first size waits for.
Outcome with_bottlenecks(const PriceRequest& request, const std::vector<PricedWays>& found,
                         const PricingRequest& pricing, const SearchSpace& space) {
  const std::string text = request.json ? "" : text_of(found, pricing);
  if (!request.bottleneck) return {request.json ? json_of(found, pricing).dump(2) + '\n' : text};
  require(!found.front().known.empty(), "no algorithm's time is known here; leave --bottleneck out");
  const PricedWay& best = found.front().known.front();
  Problem problem = pricing.problem;
  problem.root = best.root;
  if (!has_one_size(problem)) problem.count = found.front().bytes;
  const TopologyPtr topology = placed_for(pricing, best.embedding, best.priced.parameters.grid, space);
  const Bottlenecks bound = bottlenecks({*best.priced.algorithm, best.priced.parameters}, problem, topology,
                                        pricing.machine, pricing.layout, pricing.traffic);
  if (!request.json) return {fmt::format("{}\nThe first of these, simulated:\n{}", text, text_of(bound, *topology))};
  Json fields = json_of(found, pricing);
  fields["bottleneck"] = json_of(bound, *topology);
  return {fields.dump(2) + '\n'};
}

// Answers in symbols; a size decides in which order the algorithms stand.
Outcome price_in_symbols(const PriceRequest& request) {
  require(!request.plot && !request.search && !request.bottleneck && !request.embedding,
          "--symbolic answers for all sizes at once; leave --plot, --search, --bottleneck and --embedding out");
  require(!request.distances, "--symbolic answers for one distance, not for several");
  require(beyond_forms(request.traffic) != "--injection" && request.machine.packet == 0,
          "--symbolic knows messages by their size alone; leave --packet and --injection out");
  constexpr double usual_bytes = 1024;
  const PricingRequest pricing = pricing_of(request);
  const double m = request.sizes ? static_cast<double>(one_size(*request.sizes)) : usual_bytes;
  if (request.json) return {symbolic_price_json(pricing, m, request.symbols.names).dump(2) + '\n'};
  return {symbolic_price_text(pricing, m, request.symbols.names)};
}

PriceColumns columns_of(const PriceRequest& request) {
  return request.algorithm || !request.compared.empty() ? PriceColumns::each : PriceColumns::fastest;
}

// A line for each distance of a shift, at one size.
Outcome price_distances(const PriceRequest& request) {
  require(!request.plot && !request.search && !request.bottleneck && !request.embedding && !request.full,
          "several distances make one table; leave --plot, --search, --bottleneck, --embedding and --full out");
  require(request.sizes && request.sizes->least == request.sizes->most,
          "several distances need one size, such as --bytes 64KiB");
  PriceRequest one = request;
  std::vector<PriceLine> lines;
  Json objects = Json::array();
  for (int distance = request.distances->least; distance <= request.distances->most; ++distance) {
    one.distance = distance;
    Prices prices(pricing_of(one), {request.sizes->least});
    const std::int64_t bytes = request.sizes->least;
    lines.push_back({fmt::format("{}", distance), prices.ranking(bytes), prices.bound(bytes)});
    Json fields{{"distance", distance}};
    fields.update(report_json(prices, {}));
    objects.push_back(std::move(fields));
  }
  if (request.json) return {Json{{"distances", objects}}.dump(2) + '\n'};
  return {network_line(pricing_of(one)) + short_table("DISTANCE", lines, columns_of(request))};
}

Outcome price_all(const PriceRequest& request) {
  check_switching(request.machine);
  if (request.user_kind != UserKind::none) {
    require(!request.plot && !request.search && !request.bottleneck && !request.embedding,
            "a schedule has one time; leave --plot, --search, --bottleneck and --embedding out");
    require(!request.symbols.symbolic,
            "a schedule's time in symbols is simulated: tutti simulate schedule {} --symbolic",
            request.user_words.empty() ? "FILE" : request.user_words.front());
    Request own = request;
    if (request.sizes) own.count = one_size(*request.sizes);
    return price_user_program(own, request.machine, request.traffic);
  }
  if (request.symbols.symbolic) return price_in_symbols(request);
  if (request.distances) return price_distances(request);
  PricingRequest pricing = pricing_of(request);
  const SizeRange asked = asked_sizes(request, pricing.problem);
  const bool one = has_one_size(pricing.problem);
  if (request.search || request.bottleneck || request.embedding) {
    require(!request.plot, "a search, --bottleneck and --embedding draw no plot; leave --plot out");
    const SearchSpace space = space_of(request, pricing);
    return with_bottlenecks(request, search_ways(pricing, sizes_in(asked), space), pricing, space);
  }
  if (request.plot) check_picture_file(*request.plot);
  const SizeRange ruled = asked.least < asked.most ? asked : SizeRange{};
  const std::vector<std::int64_t> listed = sizes_in(asked);
  Prices prices(std::move(pricing), listed, request.plot ? sizes_drawn(ruled, listed).size() - listed.size() : 0);
  const WinnerRanges winners = one ? WinnerRanges{} : prices.winner_ranges(ruled);
  if (request.plot) write_picture(*request.plot, price_plot(prices, ruled, winners.all));
  if (request.json) return {report_json(prices, winners).dump(2) + '\n'};
  if (listed.size() == 1 || request.full) return {report_text(prices, winners)};
  return {short_report_text(prices, winners, columns_of(request))};
}

constexpr const char* footer =
    "Where an algorithm has no closed form on the network, its time is simulated, and marked as such; with "
    "--routing,\n"
    "--background, --injection or --eager all are.\n"
    "Who is fastest is given and drawn for the range, or for 1B to 1GiB where one size is named.\n"
    "A range of sizes has a line for each with the fastest and the runner-up, or a column for each algorithm that is\n"
    "named; --full has all algorithms at each size.\n"
    "Examples:\n  tutti price all-reduce --ranks 64 --bytes 1MiB\n  tutti price broadcast --topology torus:8x8 "
    "--switching store-and-forward --bytes 1KiB..1MiB\n"
    "  tutti price all-to-all --ranks 16 --bytes 64 --tc 0.1ns --json\n  tutti price all-reduce --ranks 64 --bytes "
    "1B..1GiB --plot all-reduce.svg\n"
    "  tutti price all-reduce --nodes 16x8 --ts-inside 0.2us --tw-inside 0.1ns --ts-outside 2us --tw-outside 0.1ns "
    "--bytes 8..16MiB\n"
    "  tutti price broadcast --topology torus:4x4 --switching cut-through --bytes 1MiB --search --bottleneck\n"
    "  tutti price all-gather --ranks 4 --counts 1000,0,0,5000\n"
    "  tutti price reduce --ranks 64 --symbolic\n"
    "  tutti price reduce --ranks 64 --bytes 8..1MiB --algorithm binomial,reduce-scatter-gather\n"
    "  tutti price shift --topology ring:8 --bytes 1KiB --distance 1..7\n"
    "  tutti price broadcast --topology hypercube:4 --bytes 1KiB --textbook\n"
    "  tutti price schedule mine.json --topology torus:4x4\n"
    "  tutti price all-to-all --topology clos:8x4x4 --bytes 64KiB --routing ecmp --background 8";

}  // namespace

void add_price(Command command, Chosen& chosen) {
  const auto request = std::make_shared<PriceRequest>();
  add_collective(command, *request);
  add_user_words(command, *request, "After 'schedule': its file");
  add_problem(command, *request);
  add_nodes(command, *request,
            "Without --topology each node has a switch, with a cable to each rank and one to a central switch");
  // Sizes alone say how much there is, and here a range will do.
  command.remove_option("--bytes");
  command.remove_option("--count");
  command.remove_option("--distance");
  command.remove_option("--algorithm");
  add_value(command, *request, "--algorithm", "NAME,…", "An algorithm's name or alias, or several; without it all",
            [r = request.get()](const std::string& text) { set_algorithms(*r, text); });
  add_value(command, *request, "--distance", "Q|A..B", "How far a shift goes, either way, or several distances",
            [r = request.get()](const std::string& text) { set_distances(*r, text); });
  add_value(command, *request, "--bytes", "SIZE|A..B", "m, by the collective's own convention, or a range of sizes",
            [&sizes = request->sizes](const std::string& text) { sizes = parse_sizes(text); });
  command.add_flag("--full", request->full, "All algorithms at each size of a range, in a table each");
  command.add_flag("--textbook", request->textbook, "The textbook's algorithms alone");
  command.exclude("--textbook", "--algorithm");
  add_value(command, *request, "--plot", "FILE",
            "Draw time against size, and where another algorithm takes over: FILE.svg, .pdf, .png or .tex",
            [&plot = request->plot](const std::string& text) { plot = text; });
  add_machine(command, *request, request->machine);
  take_settings(*request, request->machine, NetworkSetting::taken);
  add_traffic(command, *request, request->traffic);
  command.add_flag("--search", request->search, "Search segments, grids, roots and the placement of ranks, too");
  add_value(command, *request, "--embedding", "PLACES", "Where the ranks sit: gray, line, or 0,2,1,3; see simulate",
            [&embedding = request->embedding](const std::string& text) { embedding = text; });
  command.add_flag("--bottleneck", request->bottleneck,
                   "Simulate the best, and print its fullest links and what faster links would gain");
  add_symbols(command, *request, request->symbols);
  command.set_footer(footer);
  command.when_chosen([request, &chosen] {
    chosen = [request] {
      read_values(*request);
      return with_notes(price_all(*request), request->notes);
    };
  });
}

}  // namespace tutti::app

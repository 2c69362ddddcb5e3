#include "app/commands/plan/plan_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "app/options/node_options.hpp"
#include "base/check.hpp"
#include "base/system/tell_user.hpp"
#include "base/text/one_line.hpp"
#include "base/text/short_file.hpp"
#include "base/units.hpp"
#include "measure/machine.hpp"
#include "predict/profile/profile.hpp"
#include "predict/profile/stored_profile.hpp"

namespace tutti::app {
namespace {

// The cores that the ranks have where every node is a machine of that many; as many as an int holds where there are
// more.
int cores_of_all(int cores, const Layout& layout, int ranks) {
  const std::int64_t all = std::int64_t{cores} * ranks / layout.on_fullest_node(ranks);
  return static_cast<int>(std::min<std::int64_t>(all, std::numeric_limits<int>::max()));
}

std::unique_ptr<MachineModel> model_by(const Profile& profile, const PlanRequest& request, int ranks) {
  const Transport transport = request.transport.value_or(Transport::threads);
  const Layout layout = layout_of(request);
  const int cores = request.cores.value_or(measure::cores());
  const bool several = layout.nodes() > 1;
  const std::string words = fmt::format(
      "{} on {}{}, {}", name_of(transport), counted(cores, "core"),
      several ? fmt::format(" of each of {} nodes, MPI between them", layout.nodes()) : "", profile.origins[transport]);
  const int all_cores = cores_of_all(cores, layout, ranks);
  return std::make_unique<MachineModel>(profile.costs_of(transport, ranks, all_cores),
                                        profile.costs_of(several ? Transport::mpi : transport, ranks, all_cores),
                                        all_cores, layout, words);
}

}  // namespace

std::unique_ptr<MachineModel> model_of_machine(const PlanRequest& request, int ranks) {
  const FoundProfile found = find_profile();
  if (!found.complaint.empty()) tell_user("tutti: {}\n", one_line(found.complaint));
  return model_by(found.profile, request, ranks);
}

double error_of_machine(const PlanRequest& request) {
  return find_profile().profile.errors[request.transport.value_or(Transport::threads)];
}

std::unique_ptr<MachineModel> model_without_short_messages(const PlanRequest& request, int ranks) {
  Profile profile = find_profile().profile;
  for (const Transport transport : all_transports)
    profile.costs[transport].short_bytes = profile.on_shared_cores[transport].short_bytes = 0;
  return model_by(profile, request, ranks);
}

std::vector<std::string> places_of(const PlanRequest& request, int ranks) {
  const Layout layout = layout_of(request);
  PlacementKey place{.inside = request.transport.value_or(Transport::threads),
                     .cores = cores_of_all(request.cores.value_or(measure::cores()), layout, ranks),
                     .nodes = layout.nodes()};
  std::vector<std::string> places{text_of(place)};
  if (place.nodes > 1) {
    place.is_link_measured = true;
    places.push_back(text_of(place));
  }
  return places;
}

Rules rules_of(const PlanRequest& request) {
  if (request.rules) return parse_rules(short_file(*request.rules), *request.rules);
  FoundRules found = find_rules();
  if (!found.complaint.empty()) tell_user("tutti: {}\n", one_line(found.complaint));
  return std::move(found.rules);
}

std::vector<std::int64_t> sizes_of(const PlanRequest& request) {
  const bool barrier = *request.collective == Collective::barrier;
  require(barrier || request.sizes, "plan needs a size, such as --bytes 1MiB or --bytes 8..16MiB");
  require(!barrier || !request.sizes, "a barrier moves no data; leave --bytes out");
  require(!request.plot || (request.sizes && request.sizes->least < request.sizes->most),
          "a plot needs a range of sizes, such as --bytes 8..16MiB");
  if (barrier) return {0};
  return sizes_in(*request.sizes);
}

constexpr int most_ranks_planned = 1 << 18;

int ranks_of(const PlanRequest& request) {
  if (!request.ranks) return std::max(2, measure::cores());
  require(request.ranks->first == request.ranks->last, "plan looks at one number of ranks, not at {}..{}",
          request.ranks->first, request.ranks->last);
  require(request.ranks->first <= most_ranks_planned,
          "plan looks at {} ranks at most, not {}; 'tutti price' has closed forms for more", most_ranks_planned,
          request.ranks->first);
  return request.ranks->first;
}

Problem problem_in(const PlanRequest& request, std::int64_t largest) {
  Request sized = request;
  if (*request.collective != Collective::barrier) sized.count = 1;
  Problem problem = problem_of(sized, *request.collective, ranks_of(request));
  Problem most = problem;
  most.count = largest;
  check(most);
  return problem;
}

}  // namespace tutti::app

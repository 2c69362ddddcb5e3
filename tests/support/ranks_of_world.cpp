#include <cstdlib>
#include <numeric>
#include <optional>
#include <regex>

#include "support/ranks.hpp"

namespace tutti::testing {
namespace {

/// Returns the reports of all ranks, on every rank.
std::vector<Report> gathered(Communicator& all, const Report& mine) {
  const std::string bytes = packed(mine);
  const std::vector<std::int64_t> sizes = all.all_gather(static_cast<std::int64_t>(bytes.size()));
  std::string text(static_cast<std::size_t>(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0})), '\0');
  all.all_gather_v(std::span(bytes), std::span(text), sizes);
  std::vector<Report> reports;
  std::size_t at = 0;
  for (const std::int64_t size : sizes) {
    reports.push_back(unpacked(std::string_view(text).substr(at, static_cast<std::size_t>(size))));
    at += static_cast<std::size_t>(size);
  }
  return reports;
}

/// The communicator of a test is one among others here; its title is no part of what a test expects.
void forget_communicators(std::string& message) {
  static const std::regex title(" of communicator [0-9]+[.][0-9]+");
  message = std::regex_replace(message, title, "");
}

/// TUTTI_TEST_NODES has a letter a rank: the node that it is to be on.
void take_node() {
  const char* const nodes = std::getenv("TUTTI_TEST_NODES");
  const char* const openmpi = std::getenv("OMPI_COMM_WORLD_RANK");
  const char* const rank = openmpi != nullptr ? openmpi : std::getenv("PMI_RANK");
  if (nodes == nullptr || rank == nullptr) return;
  setenv("TUTTI_NODE", std::string(1, std::string_view(nodes).at(std::stoul(rank))).c_str(), 1);
}

}  // namespace

// A communicator that has failed stays so, and tests make them fail: each has its own. All processes go through the
// same tests, in step, because all of them come to the same outcomes.
std::vector<Report> reports_of_world(int ranks, const RankFunction& function, Duration timeout) {
  [[maybe_unused]] static const bool once = (take_node(), true);
  Communicator& all = world({.timeout = std::chrono::minutes(10)});
  std::optional<Communicator> part = all.split(all.rank() < ranks ? 0 : -1);
  Report mine;
  if (part) {
    part->set_timeout(timeout);
    mine = report_of(function, [&]() -> Communicator& { return *part; });
    forget_communicators(mine.outcome.message);
  }
  std::vector<Report> reports = gathered(all, mine);
  reports.resize(static_cast<std::size_t>(ranks));
  return reports;
}

}  // namespace tutti::testing

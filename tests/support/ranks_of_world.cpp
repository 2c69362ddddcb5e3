#include <numeric>
#include <optional>

#include "support/ranks.hpp"

namespace tutti::testing {
namespace {

/// What this rank has to report, on every rank.
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

}  // namespace

// A communicator that has failed stays so, and tests make them fail: each has its own. All processes go through the
// same tests, in step, because all of them come to the same outcomes.
std::vector<Report> reports_of_world(int ranks, const RankFunction& function, Duration timeout) {
  Communicator& all = world({.timeout = std::chrono::minutes(10)});
  std::optional<Communicator> part = all.split(all.rank() < ranks ? 0 : -1);
  Report mine;
  if (part) {
    part->set_timeout(timeout);
    mine = report_of(function, [&]() -> Communicator& { return *part; });
  }
  std::vector<Report> reports = gathered(all, mine);
  reports.resize(static_cast<std::size_t>(ranks));
  return reports;
}

}  // namespace tutti::testing

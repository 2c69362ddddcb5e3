/// @file
/// Common part of the programs of `bench_rivals`: one library, one collective, several sizes.
///
///     rival_openmpi all-reduce 8,1024,65536 0.3 [library | single]
///
/// measures each size with the given number of seconds at most, in the memory that C++ gives or, with `library`, that
/// the measured library gives, or with `single` with one call a batch: with buffers that change from call to call, with
/// the same for all calls and, from 64 KiB on, with memory that each call has for itself. Rank 0 prints a line of JSON a
/// size:
///
///     {"bytes": 65536, "least_us": 9.1, "median_us": 9.7, "p99_us": 14, "calls": 819, "warm_us": 9.5, "fresh_us": 20.1}
///
/// Here "warm_us" is the median with the same buffers, and "fresh_us" in memory of its own, null for short messages.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "measure/loop.hpp"
#include "schedule/model/problem.hpp"

namespace tutti::bench {

struct Work {
  Collective collective = Collective::barrier;
  std::vector<std::int64_t> sizes;
  measure::Effort effort;
  bool library_memory = false;
};

/// Throws `Error` for what is not as shown above.
inline Work work_of(const std::vector<std::string>& words) {
  const std::string last = words.size() == 4 ? words[3] : "";
  require(words.size() == 3 || last == "library" || last == "single",
          "four words are expected, such as: all-reduce 8,1024 0.3 library; the last may be left out, or be single");
  const auto collective = collective_named(words[0]);
  require(collective.has_value(), "there is no collective '{}'", words[0]);
  Work work{.collective = *collective, .library_memory = last == "library"};
  for (std::size_t at = 0; at <= words[1].size();) {
    const std::size_t end = std::min(words[1].find(',', at), words[1].size());
    work.sizes.push_back(parse_bytes(std::string_view(words[1]).substr(at, end - at)).count);
    at = end + 1;
  }
  work.effort.seconds = parse_seconds(words[2]).count;
  if (last == "single") work.effort.batch_seconds = 0;
  return work;
}

/// From this size on a call is measured in memory of its own, too: one call of less is over before its ranks have met.
inline constexpr std::int64_t least_fresh_bytes = 64 << 10;

/// Measures all sizes; every rank calls it.
template <measure::Measurable Subject>
void serve(Subject& subject, const Work& work) {
  for (const std::int64_t bytes : work.sizes) {
    const measure::Cell cell{work.collective, subject.size(), bytes};
    const measure::LoopResult measured = measure::measure(subject, cell, work.effort);
    const measure::LoopResult warm = measure::measure(subject, cell, work.effort, measure::BufferReuse::warm);
    std::string fresh = "null";
    if (bytes >= least_fresh_bytes)
      fresh = fmt::format(
          "{:.4f}", 1e6 * measure::measure(subject, cell, work.effort, measure::BufferReuse::fresh).summary.median);
    if (subject.rank() != 0) continue;
    const measure::Summary& summary = measured.summary;
    fmt::print(
        R"({{"bytes": {}, "least_us": {:.4f}, "median_us": {:.4f}, "p99_us": {:.4f}, "calls": {}, "warm_us": {:.4f}, )"
        R"("fresh_us": {}}})"
        "\n",
        bytes, summary.least * 1e6, summary.median * 1e6, summary.p99 * 1e6, measured.calls, warm.summary.median * 1e6,
        fresh);
    std::fflush(stdout);
  }
}

/// Exit status 1 after a sentence.
inline int complain(std::string_view program, const std::exception& error) {
  fmt::print(stderr, "{}: {}\n", program, error.what());
  return 1;
}

}  // namespace tutti::bench

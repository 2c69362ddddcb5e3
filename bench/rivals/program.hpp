/// @file
/// What the programs of `bench_rivals` have in common: one library, one collective, several sizes.
///
///     rival_openmpi all-reduce 8,1024,65536 0.3 [library | single]
///
/// measures each size with the given number of seconds at most, in the memory that C++ gives or, with `library`, that
/// the measured library gives, or with `single` with one call a batch, once with buffers that change from call to call
/// and once with the same for all calls. Rank 0 prints a line of JSON a size:
///
///     {"bytes": 1024, "least_us": 0.91, "median_us": 0.97, "p99_us": 1.4, "calls": 8192, "warm_us": 0.95}
///
/// where "warm_us" is the median with the same buffers.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "measure/loop.hpp"
#include "schedule/problem.hpp"

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

/// Measures all sizes; every rank calls it.
template <measure::Measurable Subject>
void serve(Subject& subject, const Work& work) {
  for (const std::int64_t bytes : work.sizes) {
    const measure::Cell cell{work.collective, subject.size(), bytes};
    const measure::Measured measured = measure::measure(subject, cell, work.effort);
    const measure::Measured warm = measure::measure(subject, cell, work.effort, measure::BufferUse::warm);
    if (subject.rank() != 0) continue;
    const measure::Summary& summary = measured.summary;
    fmt::print(
        R"({{"bytes": {}, "least_us": {:.4f}, "median_us": {:.4f}, "p99_us": {:.4f}, "calls": {}, "warm_us": {:.4f}}})"
        "\n",
        bytes, summary.least * 1e6, summary.median * 1e6, summary.p99 * 1e6, measured.calls, warm.summary.median * 1e6);
    std::fflush(stdout);
  }
}

/// Exit status 1 after a sentence.
inline int complain(std::string_view program, const std::exception& error) {
  fmt::print(stderr, "{}: {}\n", program, error.what());
  return 1;
}

}  // namespace tutti::bench

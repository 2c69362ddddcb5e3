#include "bench/cases.hpp"

#include <sys/resource.h>

#include <ctime>

#include "algorithms/catalogue.hpp"

namespace tutti::bench {

Problem Case::problem(int ranks) const { return {.collective = collective, .ranks = ranks, .count = bytes}; }

const Algorithm& Case::text(int ranks) const { return algorithms::fitting(problem(ranks), algorithm); }

Machine usual_machine() { return {.switching = Switching::alpha_beta, .ts = 1e-6, .tw = 1e-9}; }

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double peak_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace tutti::bench

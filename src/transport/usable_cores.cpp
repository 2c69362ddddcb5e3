#include "transport/usable_cores.hpp"

#include <sched.h>

#include <algorithm>
#include <bit>
#include <thread>

#include "base/control_groups.hpp"

namespace tutti::runtime {

UsableCores UsableCores::of_this_process() {
  UsableCores cores;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    for (std::size_t core = 0; core < std::min<std::size_t>(most_cores, CPU_SETSIZE); ++core) {
      if (CPU_ISSET(core, &set)) cores.allow(core);
    }
  } else {
    for (std::size_t core = 0; core < std::min<std::size_t>(most_cores, std::thread::hardware_concurrency()); ++core) {
      cores.allow(core);
    }
  }
  if (const auto quota = cpu_quota()) cores.limit(*quota);
  return cores;
}

void UsableCores::limit(double cores) {
  if (cores < quota_) quota_ = std::max(1, static_cast<int>(cores));
}

void UsableCores::add(const UsableCores& other) {
  for (std::size_t k = 0; k < allowed_.size(); ++k) allowed_[k] |= other.allowed_[k];
  quota_ = std::min(quota_, other.quota_);
}

int UsableCores::count() const {
  int cores = 0;
  for (const std::uint64_t word : allowed_) cores += std::popcount(word);
  return std::clamp(cores, 1, quota_);
}

}  // namespace tutti::runtime

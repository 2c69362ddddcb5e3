/// @file
/// Plan of a kill: the rank and the moment, drawn from a seed by the test and by the ranks alike.
#pragma once

#include <chrono>
#include <cstdint>
#include <random>
#include <string_view>

namespace tutti::testing {

struct KillPlan {
  enum class Moment : std::uint8_t { before_joining, joining, running, within_a_call };

  explicit KillPlan(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t n) { return static_cast<int>(random() % n); };
    ranks = 2 + below(5);
    victim = below(static_cast<std::uint64_t>(ranks));
    const int lot = below(8);
    moment = lot == 0   ? Moment::before_joining
             : lot == 1 ? Moment::joining
             : lot < 5  ? Moment::running
                        : Moment::within_a_call;
    const bool is_early = moment == Moment::before_joining || moment == Moment::joining;
    delay = std::chrono::microseconds(below(is_early ? 4000 : 40000));
    call = below(60);
    reaches_peers = below(4) != 0;
    has_progress_thread = below(4) == 0;
  }

  int ranks = 0;
  int victim = 0;
  Moment moment = Moment::running;
  std::chrono::microseconds delay{};  ///< joining, running: from the begin of that
  int call = 0;                       ///< within_a_call: in the midst of this one
  bool reaches_peers = true;          ///< whether ranks may read one another's memory
  bool has_progress_thread = false;
};

constexpr std::string_view text_of(KillPlan::Moment moment) {
  switch (moment) {
    case KillPlan::Moment::before_joining:
      return "before joining";
    case KillPlan::Moment::joining:
      return "joining";
    case KillPlan::Moment::running:
      return "running";
    case KillPlan::Moment::within_a_call:
      return "within a call";
  }
  return "";
}

}  // namespace tutti::testing

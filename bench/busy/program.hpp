/// @file
/// Common part of the programs of `make bench-busy`: ranks that call one collective of 8 bytes again and again, in rows
/// of calls, until so many have been made or the time is over. For each collective that is asked for, rank 0 prints a
/// line, which scripts/bench-busy reads:
///
///     all-reduce 0.41
///
/// microseconds a call, from the first call on to a barrier after the last one, by the clock of rank 0.
///
///     PROGRAM CALLS SECONDS COLLECTIVE ...
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tutti::bench {

/// Calls between two of rank 0's decisions to go on, which are broadcasts.
inline constexpr int row_of_calls = 200;

/// Microseconds that a call takes: from the first of `most` calls on, or of those that `seconds` are enough for.
template <typename Subject, typename Call>
double time_of_calls(Subject& subject, int most, double seconds, Call call) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - began).count(); };
  int calls = 0;
  for (double goes_on = 1; goes_on != 0;) {
    for (int k = 0; k < row_of_calls; ++k) call();
    calls += row_of_calls;
    goes_on = calls < most && passed() < seconds ? 1 : 0;
    subject.broadcast(goes_on);
  }
  subject.barrier();  // rank 0 may be ahead of the others
  return passed() / calls * 1e6;
}

/// One of the subject's collectives by its name, timed as time_of_calls() says.
template <typename Subject>
double time_of(std::string_view name, Subject& subject, int most, double seconds) {
  double value = 1;
  const auto time = [&](auto call) { return time_of_calls(subject, most, seconds, call); };
  if (name == "all-reduce") return time([&] { subject.all_reduce(value); });
  if (name == "broadcast") return time([&] { subject.broadcast(value); });
  if (name == "barrier") return time([&] { subject.barrier(); });
  if (name == "all-gather") return time([&] { subject.all_gather(value); });
  if (name == "ping-pong") return time([&] { subject.ping_pong(value); });
  throw std::invalid_argument(
      std::string(name) +
      " is no collective of this program; take all-reduce, broadcast, barrier, all-gather, ping-pong");
}

/// `Subject` joins when it is made, and has
///
///     int rank();
///     void all_reduce(double&);   the greatest value, on all ranks
///     void broadcast(double&);    from rank 0
///     void barrier();
///     void all_gather(double);
///     void ping_pong(double&);    from each even rank to the next odd one, if there is one, and back
template <typename Subject>
void measure_busy(Subject& subject, int words, char** line) {
  if (words < 4) throw std::invalid_argument("use: " + std::string(line[0]) + " CALLS SECONDS COLLECTIVE ...");
  for (int word = 3; word < words; ++word) {
    const double time = time_of(line[word], subject, std::atoi(line[1]), std::atof(line[2]));
    if (subject.rank() == 0) std::printf("%s %.3f\n", line[word], time);
  }
  std::fflush(stdout);
}

}  // namespace tutti::bench

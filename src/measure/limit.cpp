#include "measure/limit.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <functional>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "measure/buffers.hpp"
#include "measure/loop.hpp"
#include "measure/machine.hpp"
#include "measure/moving.hpp"

namespace tutti::measure {
namespace {

void on_threads(int n, const std::function<void(int)>& work) {
  std::vector<std::jthread> threads;
  for (int t = 1; t < n; ++t) threads.emplace_back(work, t);
  work(0);
}

// Half of the time of a round trip of a cache line between two threads, over 200 trips, or those of 2 ms: threads that
// happen to share a core must not be waited for long.
double ping_pong() {
  constexpr int most_trips = 200;
  constexpr double most_seconds = 2e-3;
  constexpr int end = -1;
  alignas(128) std::atomic<int> there{0};
  alignas(128) std::atomic<int> back{0};
  const std::jthread echo([&] {
    for (int seen = 0; seen != end;) {
      const int now = there.load(std::memory_order_acquire);
      if (now != seen) back.store(now, std::memory_order_release);
      seen = now;
    }
  });
  int trips = 0;
  const auto begin = Clock::now();
  double elapsed = 0;
  while (trips < most_trips && elapsed < most_seconds) {
    there.store(++trips, std::memory_order_release);
    while (back.load(std::memory_order_acquire) != trips) {
    }
    elapsed = seconds_since(begin);
  }
  there.store(end, std::memory_order_release);
  return elapsed / (2 * trips);
}

// A cell's traffic as arrays: `sources` arrays are read and `destinations` written, each of `count` doubles, in every
// set. All arrays of a set lie one after the other.
class Arena {
 public:
  explicit Arena(const Cell& cell) {
    const Traffic traffic = traffic_of(cell);
    const std::int64_t unit = std::gcd(traffic.read, traffic.written);
    sources_ = static_cast<std::size_t>(traffic.read / unit);
    destinations_ = static_cast<std::size_t>(traffic.written / unit);
    count_ = static_cast<std::size_t>(unit) / sizeof(double);
    stride_ = (count_ + 15) / 16 * 16;
    sets_ = sets_for(cell.whole_bytes(), traffic.read + traffic.written, cell.ranks);
    memory_ = plain_memory(sets_ * (sources_ + destinations_) * stride_);
    std::fill_n(memory_.get(), sets_ * (sources_ + destinations_) * stride_, 1.0);
  }

  std::size_t sets() const { return sets_; }
  std::size_t count() const { return count_; }

  // Moves elements [begin, end) of that call's arrays.
  void move(const Mover& mover, std::uint64_t call, std::size_t begin, std::size_t end) const {
    constexpr std::size_t most = 64;
    const double* from[most];
    double* into[most];
    double* const set = memory_.get() + call % sets_ * (sources_ + destinations_) * stride_;
    // More arrays than there is room for are moved in several goes.
    for (std::size_t s = 0; s < sources_; s += most) {
      for (std::size_t d = 0; d < destinations_; d += most) {
        const std::size_t read = std::min(most, sources_ - s);
        const std::size_t written = std::min(most, destinations_ - d);
        for (std::size_t k = 0; k < read; ++k) from[k] = set + (s + k) * stride_;
        for (std::size_t k = 0; k < written; ++k) into[k] = set + (sources_ + d + k) * stride_;
        mover.move({{from, read}, {into, written}}, begin, end);
      }
    }
  }
  // Writes elements [begin, end) of that call's sources anew.
  void refresh(std::uint64_t call, std::size_t begin, std::size_t end) const {
    double* const set = memory_.get() + call % sets_ * (sources_ + destinations_) * stride_;
    for (std::size_t k = 0; k < sources_; ++k)
      std::fill(set + k * stride_ + begin, set + k * stride_ + end, static_cast<double>(call % 1024));
  }

 private:
  std::size_t sources_ = 0;
  std::size_t destinations_ = 0;
  std::size_t count_ = 0;
  std::size_t stride_ = 0;
  std::size_t sets_ = 0;
  std::shared_ptr<double> memory_;
};

// Thread t's share of the elements, whole cache lines but for the last.
std::pair<std::size_t, std::size_t> share(const Arena& arena, int t, int n) {
  const std::size_t lines = (arena.count() + 7) / 8;
  const auto edge = [&](int k) {
    return std::min(arena.count(), lines * static_cast<std::size_t>(k) / static_cast<std::size_t>(n) * 8);
  };
  return {edge(t), edge(t + 1)};
}

double median_move(const Arena& arena, const Mover& mover, int n, const Effort& effort) {
  Pace pace(arena.sets(), effort);
  std::vector<double> times(static_cast<std::size_t>(n));
  std::barrier meeting(n);
  std::size_t calls = pace.next();
  on_threads(n, [&](int t) {
    const auto [begin, end] = share(arena, t, n);
    const auto [next_begin, next_end] = share(arena, (t + 1) % n, n);
    const auto start = Clock::now();
    for (std::uint64_t first = 0; calls > 0;) {
      const std::size_t now = calls;
      meeting.arrive_and_wait();
      meeting.arrive_and_wait();
      const auto from = Clock::now();
      for (std::uint64_t call = first; call < first + now; ++call) arena.move(mover, call, begin, end);
      times[static_cast<std::size_t>(t)] = seconds_since(from);
      meeting.arrive_and_wait();  // before others write what a slower thread still reads
      for (std::uint64_t call = first; call < first + now; ++call) arena.refresh(call, next_begin, next_end);
      meeting.arrive_and_wait();
      if (t == 0) {
        pace.record(*std::max_element(times.begin(), times.end()) / static_cast<double>(now), seconds_since(start));
        calls = pace.next();
      }
      meeting.arrive_and_wait();
      first += now;
    }
  });
  return pace.summary().median;
}

}  // namespace

double line_seconds() {
  // The least that this process has ever seen: what else the machine does only adds to it.
  static std::atomic<double> least{std::numeric_limits<double>::infinity()};
  if (cores() < 2) return 0;
  for (int k = 0; k < 10; ++k) {
    const double seconds = ping_pong();
    double known = least.load();
    while (seconds < known && !least.compare_exchange_weak(known, seconds)) {
    }
  }
  return least.load();
}

double limit_seconds(const Cell& cell, const Effort& effort) {
  check(cell);
  const double heard = cell.ranks > 1 ? line_seconds() : 0;
  const Traffic traffic = traffic_of(cell);
  if (traffic.read == 0 || traffic.written == 0) return heard;
  const Arena arena(cell);
  Effort each = effort;
  each.seconds /= static_cast<double>(movers().size());
  double least = std::numeric_limits<double>::infinity();
  for (const Mover& mover : movers())
    least = std::min(least, median_move(arena, mover, std::min(cell.ranks, cores()), each));
  return std::max(heard, least);
}

}  // namespace tutti::measure

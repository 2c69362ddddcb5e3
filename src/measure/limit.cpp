#include "measure/limit.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "measure/loop.hpp"
#include "measure/machine.hpp"
#include "measure/moving.hpp"

namespace tutti::measure {
namespace {

// The calling thread works as number 0. No thread begins before all have been made: works wait for one another, and
// where the system refuses a thread, the others end without having begun.
void on_threads(int n, const std::function<void(int)>& work) {
  enum class Word { wait, begin, end };
  std::atomic<Word> word{Word::wait};
  std::vector<std::jthread> threads;
  const auto tell = [&](Word what) {
    word = what;
    word.notify_all();
  };
  try {
    for (int t = 1; t < n; ++t) {
      threads.emplace_back([&, t] {
        word.wait(Word::wait);
        if (word == Word::begin) work(t);
      });
    }
  } catch (...) {
    tell(Word::end);
    throw;
  }
  tell(Word::begin);
  work(0);
}

// Leaves the calling thread on one of the processors that it may use, where the system lets it.
void settle_on(int which) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  which %= CPU_COUNT(&allowed);
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (!CPU_ISSET(processor, &allowed) || which-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

// A cache line that goes to another thread, and one that comes back.
struct Lines {
  alignas(128) std::atomic<int> there{0};
  alignas(128) std::atomic<int> back{0};
};
constexpr int last_trip = -1;

void send_back(Lines& lines) {
  for (int seen = 0; seen != last_trip;) {
    const int now = lines.there.load(std::memory_order_acquire);
    if (now != seen) lines.back.store(now, std::memory_order_release);
    seen = now;
  }
}

// Half of the time of a round trip, the mean of ten after number `trip`; infinite where the other thread did not run.
double ten_trips(Lines& lines, int& trip) {
  constexpr int trips = 10;
  constexpr int most_looks = 100'000;
  const auto from = Clock::now();
  for (int k = 0; k < trips; ++k) {
    lines.there.store(++trip, std::memory_order_release);
    int looks = 0;
    while (lines.back.load(std::memory_order_acquire) != trip) ++looks;
    if (looks > most_looks) return std::numeric_limits<double>::infinity();
  }
  return seconds_since(from) / (2 * trips);
}

// The least of what ten trips take between two processors within 2 ms, for which it is enough that both threads run at
// the same time for a microsecond or two. Infinite where they never did.
double ping_pong(int first) {
  constexpr double most_seconds = 2e-3;
  Lines lines;
  double least = std::numeric_limits<double>::infinity();
  const auto measure = [&] {
    settle_on(first);
    const auto begin = Clock::now();
    for (int trip = 0; seconds_since(begin) < most_seconds;) least = std::min(least, ten_trips(lines, trip));
    lines.there.store(last_trip, std::memory_order_release);
  };
  const auto echo = [&] {
    settle_on(first + 1);
    send_back(lines);
  };
  // The calling thread itself stays on all of its processors.
  on_threads(3, [&](int t) {
    if (t == 1) measure();
    if (t == 2) echo();
  });
  // No line takes as long: the threads took turns on one core.
  constexpr double longest_way = 5e-6;
  return least < longest_way ? least : std::numeric_limits<double>::infinity();
}

// A cell's traffic as arrays: `sources` arrays are read and `destinations` written, each of `count` doubles, in every
// set. All arrays of a set lie one after the other.
class TrafficArrays {
 public:
  TrafficArrays(const Cell& cell, std::size_t sets, const Allocate& allocate) : sets_(sets) {
    const CellTraffic traffic = traffic_of(cell);
    const std::int64_t unit = std::gcd(traffic.read, traffic.written);
    sources_ = static_cast<std::size_t>(traffic.read / unit);
    destinations_ = static_cast<std::size_t>(traffic.written / unit);
    count_ = static_cast<std::size_t>(unit) / sizeof(double);
    stride_ = (count_ + 15) / 16 * 16;
    memory_ = allocate(sets_ * (sources_ + destinations_) * stride_);
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
std::pair<std::size_t, std::size_t> share(const TrafficArrays& arena, int t, int n) {
  const std::size_t lines = (arena.count() + 7) / 8;
  const auto edge = [&](int k) {
    return std::min(arena.count(), lines * static_cast<std::size_t>(k) / static_cast<std::size_t>(n) * 8);
  };
  return {edge(t), edge(t + 1)};
}

// Returns that part of so many elements, in whole cache lines.
std::size_t part_of(std::size_t elements, double part) {
  return std::min(elements, static_cast<std::size_t>(static_cast<double>(elements) * part) / 8 * 8);
}

// The seconds of the shortest batch, a call; `from_others` of what a thread reads another has written.
double least_move(const TrafficArrays& arena, const Mover& mover, int n, double from_others, const Effort& effort) {
  Pace pace(arena.sets(), effort);
  std::vector<double> times(static_cast<std::size_t>(n));
  std::barrier meeting(n);
  std::size_t calls = pace.next();
  on_threads(n, [&](int t) {
    const auto [begin, end] = share(arena, t, n);
    const auto [next_begin, next_end] = share(arena, (t + 1) % n, n);
    const std::size_t own_end = begin + part_of(end - begin, 1 - from_others);
    const std::size_t others_begin = next_begin + part_of(next_end - next_begin, 1 - from_others);
    const auto start = Clock::now();
    for (std::uint64_t first = 0; calls > 0;) {
      const std::size_t now = calls;
      meeting.arrive_and_wait();
      meeting.arrive_and_wait();
      const auto from = Clock::now();
      for (std::uint64_t call = first; call < first + now; ++call) arena.move(mover, call, begin, end);
      times[static_cast<std::size_t>(t)] = seconds_since(from);
      meeting.arrive_and_wait();  // before others write what a slower thread still reads
      for (std::uint64_t call = first; call < first + now; ++call) {
        arena.refresh(call, begin, own_end);
        arena.refresh(call, others_begin, next_end);
      }
      meeting.arrive_and_wait();
      if (t == 0) {
        pace.record(*std::max_element(times.begin(), times.end()) / static_cast<double>(now), seconds_since(start));
        calls = pace.next();
      }
      meeting.arrive_and_wait();
      first += now;
    }
  });
  return pace.summary().least;
}

}  // namespace

double line_seconds() {
  // Other work of the machine only adds to the least that this process has ever seen.
  static std::atomic<double> least{std::numeric_limits<double>::infinity()};
  if (cores() < 2) return 0;
  for (int k = 0; k < 10; ++k) {
    const double seconds = ping_pong(k);
    double known = least.load();
    while (seconds < known && !least.compare_exchange_weak(known, seconds)) {
    }
  }
  return std::isinf(least.load()) ? 0 : least.load();
}

double limit_seconds(const Cell& cell, const Effort& effort, const Allocate& allocate) {
  check(cell);
  const double heard = cell.ranks > 1 && is_mutual(cell.collective) ? line_seconds() : 0;
  const std::size_t sets = sets_for(cell);  // sets_for() refuses a cell whose traffic no integer holds
  const CellTraffic traffic = traffic_of(cell);
  constexpr std::int64_t line_bytes = 64;
  const bool within_a_line = cell.ranks > 1 && cell.whole_bytes() <= line_bytes;
  if (traffic.read == 0 || traffic.written == 0 || within_a_line) return heard;
  const TrafficArrays arena(cell, sets, allocate ? allocate : plain_memory);
  const int n = std::min(cell.ranks, cores());
  Effort each = effort;
  each.seconds /= static_cast<double>(movers().size());
  double least = std::numeric_limits<double>::infinity();
  for (const Mover& mover : movers())
    least = std::min(least, least_move(arena, mover, n, part_from_others(cell, n), each));
  return std::max(heard, least);
}

}  // namespace tutti::measure

#include "support/exact_simulation.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace tutti::test {
namespace {

using Time = mpq_class;

struct Letter {
  int from = 0;
  int to = 0;
  std::size_t send = 0;  // the sender's operation
  long ready = 0;        // the number of the instant at which the later side came
  Time bytes;
  std::vector<LinkId> path;
  std::size_t hop = 0;
  Time remaining;
  Time rate;
};

struct Rank {
  std::size_t begin = 0;  // begin of the step at hand
  std::size_t end = 0;
  int open = 0;
  bool inside = false;
  bool sending = false;
  bool receiving = false;
  std::optional<Time> wakes;
  std::vector<bool> met;
};

class Exact {
 public:
  Exact(const Schedule& schedule, int element_bytes, const Topology& topology, const ExactMachine& machine)
      : schedule_(schedule), element_bytes_(element_bytes), topology_(topology), machine_(machine) {
    ranks_.resize(schedule.programs.size());
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      ranks_[r].wakes = machine.starts.empty() ? 0 : machine.starts[r];
      ranks_[r].met.resize(schedule.programs[r].ops.size());
    }
  }

  Time run() {
    while (const std::optional<Time> next = next_event()) {
      for (Letter& letter : flowing_) letter.remaining -= letter.rate * (*next - now_);
      now_ = *next;
      ++instant_;
      end_transfers();
      for (std::size_t r = 0; r < ranks_.size(); ++r) {
        if (ranks_[r].wakes != now_) continue;
        ranks_[r].wakes.reset();
        enter(static_cast<int>(r));
      }
      begin_letters();
      share();
    }
    return last_;
  }

 private:
  const std::vector<Op>& ops(int rank) const { return schedule_.programs[static_cast<std::size_t>(rank)].ops; }
  Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  Time bytes_of(int rank, const Op& op) const {
    const auto elements = Slices(schedule_.programs[static_cast<std::size_t>(rank)].slices(op)).elements();
    return Time(static_cast<long>(elements * element_bytes_));
  }
  Time per_byte(LinkId link) const { return Time(machine_.tw) / static_cast<long>(topology_.link(link).cost.lanes); }

  std::optional<Time> next_event() const {
    std::optional<Time> next;
    const auto offer = [&](const Time& time) {
      if (!next || time < *next) next = time;
    };
    for (const Rank& rank : ranks_) {
      if (rank.wakes) offer(*rank.wakes);
    }
    for (const auto& [time, letter] : waiting_latency_) offer(time);
    for (const Letter& letter : flowing_) offer(now_ + letter.remaining / letter.rate);
    return next;
  }

  // The links that a letter is on while it flows.
  std::vector<LinkId> links_of(const Letter& letter) const {
    if (machine_.switching == Switching::store_and_forward) return {letter.path[letter.hop]};
    return letter.path;
  }

  void end_transfers() {
    std::vector<Letter> on_the_way;
    for (Letter& letter : flowing_) {
      if (letter.remaining != 0) {
        on_the_way.push_back(letter);
      } else if (machine_.switching == Switching::store_and_forward && letter.hop + 1 < letter.path.size()) {
        ++letter.hop;
        letter.remaining = letter.bytes;
        on_the_way.push_back(letter);
      } else {
        arrive(letter);
      }
    }
    flowing_ = std::move(on_the_way);
    std::vector<std::pair<Time, Letter>> later;
    for (auto& [time, letter] : waiting_latency_) {
      if (time != now_) {
        later.emplace_back(time, letter);
      } else if (letter.bytes == 0) {
        arrive(letter);
      } else {
        letter.remaining = letter.bytes;
        flowing_.push_back(letter);
      }
    }
    waiting_latency_ = std::move(later);
  }

  void arrive(const Letter& letter) {
    at(letter.from).sending = at(letter.to).receiving = false;
    for (const int rank : {letter.from, letter.to}) {
      if (--at(rank).open == 0) end_step(rank);
    }
  }

  void end_step(int rank) {
    at(rank).inside = false;
    Time combined = 0;
    for (std::size_t k = at(rank).begin; k < at(rank).end; ++k) {
      const Op& op = ops(rank)[k];
      if (op.kind == OpKind::receive_reduce || op.kind == OpKind::reduce) combined += bytes_of(rank, op);
    }
    at(rank).wakes = now_ + combined * machine_.tc;
  }

  void enter(int rank) {
    Rank& mine = at(rank);
    mine.begin = mine.end;
    if (mine.begin == ops(rank).size()) {
      last_ = now_;
      return;
    }
    do {
      if (ops(rank)[mine.end].communicates()) ++mine.open;
    } while (!ops(rank)[mine.end++].ends_step);
    mine.inside = true;
    for (std::size_t k = mine.begin; k < mine.end; ++k) meet(rank, k);
    if (mine.open > 0) return;
    end_step(rank);
    if (mine.wakes != now_) return;
    mine.wakes.reset();
    enter(rank);
  }

  void meet(int rank, std::size_t k) {
    const Op& op = ops(rank)[k];
    if (!op.communicates()) return;
    Rank& theirs = at(op.peer);
    if (!theirs.inside) return;
    for (std::size_t other = theirs.begin; other < theirs.end; ++other) {
      const Op& candidate = ops(op.peer)[other];
      if (!candidate.communicates() || theirs.met[other] || candidate.peer != rank) continue;
      if (candidate.receives() == op.receives()) continue;
      theirs.met[other] = at(rank).met[k] = true;
      Letter letter;
      letter.from = op.receives() ? op.peer : rank;
      letter.to = op.receives() ? rank : op.peer;
      letter.send = op.receives() ? other : k;
      letter.ready = instant_;
      letter.bytes = bytes_of(letter.from, ops(letter.from)[letter.send]);
      letter.path = route_of(topology_, letter.from, letter.to);
      ready_.push_back(letter);
      return;
    }
  }

  // Begins, among the letters that could, the one that was ready first, then the one from the lowest rank.
  void begin_letters() {
    std::sort(ready_.begin(), ready_.end(), [](const Letter& a, const Letter& b) {
      return std::tie(a.ready, a.from, a.send) < std::tie(b.ready, b.from, b.send);
    });
    std::vector<Letter> rest;
    for (const Letter& letter : ready_) {
      if (machine_.ports == Ports::single && (at(letter.from).sending || at(letter.to).receiving)) {
        rest.push_back(letter);
        continue;
      }
      at(letter.from).sending = at(letter.to).receiving = true;
      Time latency = machine_.ts;
      if (machine_.switching == Switching::cut_through)
        latency += Time(machine_.th) * static_cast<long>(letter.path.size());
      waiting_latency_.emplace_back(now_ + latency, letter);
    }
    ready_ = std::move(rest);
  }

  // Water rises in all links alike: those that are full fix the rates of their letters.
  void share() {
    std::map<LinkId, Time> left;
    std::map<LinkId, std::vector<std::size_t>> on;
    for (std::size_t k = 0; k < flowing_.size(); ++k) {
      for (const LinkId link : links_of(flowing_[k])) {
        left[link] = 1 / per_byte(link);
        on[link].push_back(k);
      }
    }
    std::set<std::size_t> fixed;
    while (fixed.size() < flowing_.size()) {
      std::optional<Time> least;
      const auto unfixed = [&](LinkId link) {
        return std::count_if(on[link].begin(), on[link].end(), [&](std::size_t k) { return !fixed.contains(k); });
      };
      std::vector<LinkId> full;
      for (const auto& [link, room] : left) {
        const long count = unfixed(link);
        if (count == 0) continue;
        const Time each = room / count;
        if (!least || each < *least) full.clear();
        if (!least || each <= *least) full.push_back(link);
        if (!least || each < *least) least = each;
      }
      for (const LinkId link : full) {
        for (const std::size_t k : on[link]) {
          if (!fixed.insert(k).second) continue;
          flowing_[k].rate = *least;
          for (const LinkId other : links_of(flowing_[k])) left[other] -= *least;
        }
      }
    }
  }

  const Schedule& schedule_;
  const int element_bytes_;
  const Topology& topology_;
  const ExactMachine& machine_;
  std::vector<Rank> ranks_;
  std::vector<Letter> ready_;
  std::vector<std::pair<Time, Letter>> waiting_latency_;
  std::vector<Letter> flowing_;
  Time now_ = 0;
  Time last_ = 0;
  long instant_ = 0;
};

}  // namespace

mpq_class exact_time(const Schedule& schedule, int element_bytes, const Topology& topology,
                     const ExactMachine& machine) {
  return Exact(schedule, element_bytes, topology, machine).run();
}

}  // namespace tutti::test

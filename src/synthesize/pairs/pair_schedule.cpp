/// @file
/// The recording of shares.

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/check.hpp"
#include "schedule/record/append.hpp"
#include "schedule/record/most_recorded.hpp"
#include "schedule/record/script.hpp"
#include "synthesize/pairs/pairs.hpp"

namespace tutti::synthesize {
namespace {

/// A chunk of a share that a rank sends, or gets.
struct ChunkCrossing {
  int share = 0;
  std::int64_t chunk = 0;
};

/// The messages of one rank in a round, by the rank at the other end. Crossings are in the same order at both ends.
struct Round {
  std::map<int, std::vector<ChunkCrossing>> sent;
  std::map<int, std::vector<ChunkCrossing>> got;
};

class ShareRecorder {
 public:
  ShareRecorder(const std::vector<Share>& shares, const Problem& problem, std::int64_t chunks)
      : shares_(shares), chunks_(chunks), rounds_(static_cast<std::size_t>(problem.ranks)), passed_(rounds_.size()) {
    for (int k = 0; k < static_cast<int>(shares.size()); ++k) {
      const Share& share = shares[static_cast<std::size_t>(k)];
      for (std::size_t hop = 1; hop < share.way.size(); ++hop) {
        const int from = share.way[hop - 1];
        const int to = share.way[hop];
        for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
          const std::int64_t round = share.rounds[hop - 1] + chunk;
          rounds_[static_cast<std::size_t>(from)][round].sent[to].push_back({k, chunk});
          rounds_[static_cast<std::size_t>(to)][round].got[from].push_back({k, chunk});
        }
        if (hop + 1 < share.way.size()) keep(to, k, problem.count);
      }
    }
  }

  void operator()(Script& me, const Problem& problem) const {
    const int rank = me.rank();
    if (problem.collective == Collective::all_to_all || rank == problem.root)
      me.copy(block_for(me, rank), block_of(me, rank));
    for (const auto& [number, round] : rounds_[static_cast<std::size_t>(rank)]) {
      for (const auto& [peer, crossings] : round.sent) {
        const Message message = slices(me, crossings, true);
        if (!message.empty()) me.send(message, peer);
      }
      for (const auto& [peer, crossings] : round.got) {
        const Message message = slices(me, crossings, false);
        if (!message.empty()) me.receive(message, peer);
      }
      me.wait();
    }
  }

 private:
  static Slice block_of(const Script& me, int to) {
    return me.problem().collective == Collective::gather ? me.input() : me.input(to);
  }
  static Slice block_for(const Script& me, int from) {
    return me.problem().collective == Collective::scatter ? me.output() : me.output(from);
  }

  static std::int64_t edge_of(double part, std::int64_t count) {
    return std::clamp<std::int64_t>(std::llround(part * static_cast<double>(count)), 0, count);
  }

  // Places the share behind all that the rank passes on already.
  void keep(int rank, int share, std::int64_t count) {
    auto& [places, end] = passed_[static_cast<std::size_t>(rank)];
    places[share] = end;
    const Share& kept = shares_[static_cast<std::size_t>(share)];
    end += edge_of(kept.end, count) - edge_of(kept.begin, count);
  }

  Message slices(Script& me, const std::vector<ChunkCrossing>& crossings, bool sends) const {
    Message message;
    const std::int64_t count = me.problem().count;
    for (const auto& [number, chunk] : crossings) {
      const Share& share = shares_[static_cast<std::size_t>(number)];
      const std::int64_t begin = edge_of(share.begin, count);
      const std::int64_t all = edge_of(share.end, count) - begin;
      const auto cut = [&](std::int64_t k) { return all / chunks_ * k + all % chunks_ * k / chunks_; };
      const std::int64_t first = cut(chunk);
      const std::int64_t size = cut(chunk + 1) - first;
      if (size == 0) continue;
      if (me.rank() != share.from && me.rank() != share.to) {
        const std::int64_t place = passed_[static_cast<std::size_t>(me.rank())].first.at(number);
        append(message, 0, me.scratch(place + first, size));
        continue;
      }
      const Slice block = sends ? block_of(me, share.to) : block_for(me, share.from);
      append(message, 0, {block.buffer, block.first + begin + first, size});
    }
    return message;
  }

  const std::vector<Share>& shares_;
  std::int64_t chunks_;
  std::vector<std::map<std::int64_t, Round>> rounds_;                         // by rank
  std::vector<std::pair<std::map<int, std::int64_t>, std::int64_t>> passed_;  // by rank: where shares lie, and the end
};

}  // namespace

Schedule schedule_over(const PairSynthesis& made, const Problem& problem, std::int64_t chunks) {
  check(problem);
  const auto all = pair_collectives();
  require(std::find(all.begin(), all.end(), problem.collective) != all.end() && problem.counts.empty() &&
              problem.extra == 0 && !problem.in_place,
          "shares are of blocks of one size, out of place, of an all-to-all, a scatter or a gather; this is a {}",
          describe(problem));
  std::int64_t edges = 1;
  for (const Share& share : made.shares) edges += static_cast<std::int64_t>(share.rounds.size());
  if (chunks > most_recorded / edges)
    fail(ErrorCode::unsupported,
         "{} chunks over {} edges of ways are more than the {} messages that a schedule holds; take at most {} chunks",
         chunks, edges, most_recorded, most_recorded / edges);
  require(chunks == 1 || made.in_chunks, "these shares are in rounds of their own, so that they have 1 chunk, not {}",
          chunks);
  return record_all(ShareRecorder(made.shares, problem, chunks), problem);
}

}  // namespace tutti::synthesize

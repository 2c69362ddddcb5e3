#include "simulate/workload.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "schedule/record/recording_context.hpp"

namespace tutti {

namespace {

/// Throws `Error` where the operation's peer is no rank, or where its bytes and all before are more than 2^63.
void check(const Op& op, int rank, int ranks, std::int64_t elements, std::int64_t element_bytes, std::int64_t before) {
  require(!op.communicates() || (op.peer >= 0 && op.peer < ranks),
          "rank {} has a message with rank {}, which is none of the ranks 0 to {}", rank, op.peer, ranks - 1);
  std::int64_t bytes = 0;
  const bool fits =
      !__builtin_mul_overflow(elements, element_bytes, &bytes) && !__builtin_add_overflow(bytes, before, &bytes);
  require(fits, "{} elements of {} bytes, and what is sent before, are more than 2^63 bytes", elements, element_bytes);
}

}  // namespace

Workload::Workload(const Schedule& schedule, std::int64_t element_bytes) {
  const auto ranks = static_cast<int>(schedule.programs.size());
  for (const Program& program : schedule.programs) add(program, ranks, element_bytes);
}

Workload::Workload(const Choice& choice, const Problem& problem, std::int64_t element_bytes, const Layout& layout,
                   Detail detail, const GoesOn& goes_on) {
  // The pattern of symmetric ranks is recorded once, not for each of them.
  RecordingContext context(RecordingContext::Patterns::kept);
  add_all(context, choice.algorithm->record, problem, element_bytes, choice.parameters, layout, detail, goes_on);
}

Workload::Workload(const Record& record, const Problem& problem, std::int64_t element_bytes,
                   const Parameters& parameters, const Layout& layout, Detail detail) {
  RecordingContext context;
  add_all(context, record, problem, element_bytes, parameters, layout, detail, {});
}

void Workload::add_all(RecordingContext& context, const Record& record, const Problem& problem,
                       std::int64_t element_bytes, const Parameters& parameters, const Layout& layout, Detail detail,
                       const GoesOn& goes_on) {
  const ProblemScope scope(context, problem);
  Program program;
  for (int rank = 0; rank < problem.ranks; ++rank) {
    record_rank(context, record, problem, rank, program, parameters, layout, detail);
    make_room(program.ops.size(), problem.ranks);
    add(program, problem.ranks, element_bytes);
    if (goes_on && !goes_on(rank, std::span(moves_).subspan(begin(rank)))) return;
  }
}

// Makes room for the moves of one more rank, and for as many of every rank as those so far have on average: growing
// copies gigabytes. The first rank may be the root of a flat tree, and a few may have more than all others together.
// Where the mean keeps rising, room grows by an eighth at least, so that few copies are made.
void Workload::make_room(std::size_t moves, int ranks) {
  constexpr std::size_t most_of_first = 64;
  constexpr std::size_t most_growth = 16;
  const std::size_t needed = moves_.size() + moves;
  if (needed <= moves_.capacity()) return;
  const auto all = static_cast<std::size_t>(ranks);
  const auto seen = static_cast<std::size_t>(this->ranks()) + 1;
  std::size_t guess = std::min(moves, most_of_first) * all;
  if (seen > 1) guess = std::min((needed + seen - 1) / seen * all, most_growth * needed);
  moves_.reserve(std::max(needed + needed / 8, guess));
}

void Workload::add(const Program& program, int ranks, std::int64_t element_bytes) {
  int sends = 0;
  int receives = 0;
  for (const PhaseMark& mark : program.phases) phases_.push_back({begins_.back() + mark.op, mark.name});
  for (const Op& op : program.ops) {
    const std::int64_t elements = Slices(program.slices(op)).elements();
    check(op, this->ranks(), ranks, elements, element_bytes, bytes_);
    Move move{.bytes = elements * element_bytes,
              .peer = op.peer,
              .kind = op.kind,
              .ends_step = op.ends_step,
              .chained = op.chained};
    if (op.kind == OpKind::send) {
      ++messages_;
      bytes_ += move.bytes;
    }
    has_chains_ = has_chains_ || op.chained;
    moves_.push_back(move);
    if (op.communicates()) ++(op.receives() ? receives : sends);
    if (sends > 1 || receives > 1) one_ported_ = false;
    if (op.ends_step) sends = receives = 0;
  }
  begins_.push_back(moves_.size());
}

bool Workload::repeats_peers() const {
  std::vector<std::int32_t> peers;
  for (const Move& move : moves_) {
    if (move.kind == OpKind::send) peers.push_back(move.peer);
    if (!move.ends_step) continue;
    std::sort(peers.begin(), peers.end());
    if (std::adjacent_find(peers.begin(), peers.end()) != peers.end()) return true;
    peers.clear();
  }
  return false;
}

std::string_view Workload::phase(int rank, std::size_t move) const {
  const auto after = std::upper_bound(phases_.begin(), phases_.end(), move,
                                      [](std::size_t at, const PhaseBegin& begin) { return at < begin.move; });
  if (after == phases_.begin() || std::prev(after)->move < begin(rank)) return {};
  return std::prev(after)->name;
}

void Workload::forget_meetings() {
  for (Move& move : moves_) move.met = false;
}

std::size_t Workload::step_end(std::size_t begin) const {
  while (!moves_[begin].ends_step) ++begin;
  return begin + 1;
}

}  // namespace tutti

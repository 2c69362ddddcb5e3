#include "verify/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "verify/failure.hpp"

namespace tutti::proof {

using Kind = ProofFailure::Kind;

Execution::Execution(const Schedule& schedule, const Matching& matching, Expressions& expressions, Observer* observer)
    : schedule_(schedule),
      matching_(matching),
      expressions_(expressions),
      observer_(observer),
      memories_(schedule.programs.size()),
      progress_(schedule.programs.size()),
      arrivals_(schedule.problem.collective == Collective::barrier ? schedule.problem.ranks : 0) {}

std::optional<ProofFailure> Execution::run() {
  fill_inputs();
  if (observer_ != nullptr) observer_->run_begins(*this);
  for (int rank = schedule_.problem.ranks; rank-- > 0;) ready_.push_back(rank);
  while (!ready_.empty()) {
    const int rank = ready_.back();
    ready_.pop_back();
    if (auto failure = advance(rank)) return failure;
  }
  return find_deadlock();
}

// Element e of rank r's input is (contribution r, e). A broadcast's message lies in the root's output.
void Execution::fill_inputs() {
  const Problem& problem = schedule_.problem;
  for (int rank = 0; rank < problem.ranks; ++rank) {
    Slice slice{Buffer::input, 0, buffer_size(problem, rank, Buffer::input)};
    if (problem.in_place || (problem.collective == Collective::broadcast && rank == problem.root)) {
      slice = {Buffer::output, 0, problem.count};
    }
    memories_[static_cast<std::size_t>(rank)].assign(slice, {rank, 0});
  }
}

// Ends the rank's step and enters the next ones, until one of them has to wait.
std::optional<ProofFailure> Execution::advance(int rank) {
  Progress& progress = progress_[static_cast<std::size_t>(rank)];
  const Program& program = schedule_.programs[static_cast<std::size_t>(rank)];
  advancing_ = rank;
  while (progress.pending == 0) {
    arrivals_.end_step(rank);
    if (observer_ != nullptr && progress.posted > 0) observer_->step_ends(rank, progress.posted);
    progress.begin = progress.posted;
    if (progress.begin == program.ops.size()) break;
    progress.posted = program.step_end(progress.begin);
    progress.pending = progress.posted - progress.begin;
    progress.done.assign(progress.pending, false);
    for (std::size_t i = progress.begin; i < progress.posted; ++i) {
      if (auto failure = drive({rank, i})) return failure;
    }
  }
  advancing_ = -1;
  return std::nullopt;
}

// Carries out the operation if it can be, then what is chained to it.
std::optional<ProofFailure> Execution::drive(OpPosition place) {
  while (is_posted(place) && !is_done(place) && is_reached(place)) {
    const Op& op = op_at(schedule_, place);
    if (op.communicates()) {
      const OpPosition other = counterpart_of(place);
      const OpPosition receive = op.receives() ? place : other;
      const OpPosition send = op.receives() ? other : place;
      if (!is_posted(other) || !is_reached(receive)) break;
      if (auto failure = pass(receive, send)) return failure;
      finish(send);
      place = receive;
    } else if (auto failure = compute(place)) {
      return failure;
    }
    finish(place);
    ++place.op;
    if (!is_posted(place) || !op_at(schedule_, place).chained) break;
  }
  return std::nullopt;
}

void Execution::finish(OpPosition place) {
  Progress& progress = progress_[static_cast<std::size_t>(place.rank)];
  progress.done[place.op - progress.begin] = true;
  if (--progress.pending == 0 && place.rank != advancing_) ready_.push_back(place.rank);
}

// Needs an operation that is posted.
bool Execution::is_done(OpPosition place) const {
  const Progress& rank = progress(place.rank);
  return place.op < rank.begin || rank.done[place.op - rank.begin];
}

// Whether the chain that the posted operation belongs to has come to it.
bool Execution::is_reached(OpPosition place) const {
  return !op_at(schedule_, place).chained || is_done({place.rank, place.op - 1});
}

// The message is read from the sender's memory as it is now: no operation of the sender's step writes there.
std::optional<ProofFailure> Execution::pass(OpPosition receive, OpPosition send) {
  const Program& program = schedule_.programs[static_cast<std::size_t>(receive.rank)];
  const Op& op = program.ops[receive.op];
  arrivals_.pass(send.rank, receive.rank);
  const Program& sender = schedule_.programs[static_cast<std::size_t>(send.rank)];
  if (auto failure = read(send, sender.slices(sender.ops[send.op]), right_)) return failure;
  if (observer_ != nullptr) observer_->message_passes(send, receive, right_);
  if (op.kind == OpKind::receive) {
    write(receive, right_);
    return std::nullopt;
  }
  if (auto failure = read(receive, program.operand(op), left_)) return failure;
  if (op.side == Side::received_first) std::swap(left_, right_);
  return combine(receive, left_, right_);
}

std::optional<ProofFailure> Execution::compute(OpPosition place) {
  const Program& program = schedule_.programs[static_cast<std::size_t>(place.rank)];
  const Op& op = program.ops[place.op];
  if (auto failure = read(place, program.operand(op), left_)) return failure;
  if (op.kind == OpKind::copy) {
    write(place, left_);
    return std::nullopt;
  }
  if (auto failure = read(place, program.second(op), right_)) return failure;
  return combine(place, left_, right_);
}

std::optional<ProofFailure> Execution::read(OpPosition place, std::span<const Slice> slices,
                                            std::vector<Piece>& pieces) {
  pieces.clear();
  const auto unwritten = memories_[static_cast<std::size_t>(place.rank)].read(slices, pieces);
  if (!unwritten) return std::nullopt;
  const Program& program = schedule_.programs[static_cast<std::size_t>(place.rank)];
  return failure_at(schedule_, place, Kind::uninitialized, *unwritten,
                    fmt::format("\"{}\" reads what nothing wrote", text_of(program, program.ops[place.op])));
}

// Writes left ∘ right, piece by piece where both are runs of one value.
std::optional<ProofFailure> Execution::combine(OpPosition place, std::span<const Piece> left,
                                               std::span<const Piece> right) {
  using Fault = Expressions::Fault;
  result_.clear();
  std::int64_t left_used = 0;
  std::int64_t right_used = 0;
  for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    const std::int64_t count = std::min(left[i].count - left_used, right[j].count - right_used);
    const Value a = left[i].value.after(left_used);
    const Value b = right[j].value.after(right_used);
    const auto [expression, fault] = expressions_.combine(a.expression, b.expression);
    if (a.offset != b.offset || fault != Fault::none) return misfit(place, a, b, fault);
    result_.push_back({count, {expression, a.offset}});
    left_used += count;
    right_used += count;
    if (left_used == left[i].count) ++i, left_used = 0;
    if (right_used == right[j].count) ++j, right_used = 0;
  }
  write(place, result_);
  return std::nullopt;
}

// Why two values must not be combined.
ProofFailure Execution::misfit(OpPosition place, const Value& left, const Value& right,
                               Expressions::Fault fault) const {
  const Program& program = schedule_.programs[static_cast<std::size_t>(place.rank)];
  const auto because = [&](Kind kind, std::string reason) {
    return failure_at(schedule_, place, kind, program.slices(op_at(schedule_, place)), std::move(reason));
  };
  if (left.offset != right.offset) {
    return because(Kind::wrong_operands,
                   fmt::format("combines element {} of the inputs with element {}", left.offset, right.offset));
  }
  const std::string operands = fmt::format("{} on the left and {} on the right", expressions_.text_of(left.expression),
                                           expressions_.text_of(right.expression));
  return fault == Expressions::Fault::counted_twice
             ? because(Kind::counted_twice, operands + " share a rank")
             : because(Kind::wrong_operands, operands + " are not neighbours in rank order");
}

void Execution::write(OpPosition place, std::span<const Piece> pieces) {
  const Program& program = schedule_.programs[static_cast<std::size_t>(place.rank)];
  memories_[static_cast<std::size_t>(place.rank)].write(program.slices(program.ops[place.op]), pieces);
}

// The first operation of the rank's step that could begin and cannot end.
OpPosition Execution::blocked_at(int rank) const {
  OpPosition place{rank, progress(rank).begin};
  while (is_done(place) || !is_reached(place)) ++place.op;
  return place;
}

// Returns the operation that keeps the peer of a blocked operation: if the peer has come to the message, the one that
// its chain has come to.
OpPosition Execution::blocked_by(OpPosition place) const {
  OpPosition other = counterpart_of(place);
  if (!is_posted(other)) return blocked_at(other.rank);
  while (!is_reached(other)) --other.op;
  return other;
}

// A rank that is stuck waits for a peer that has yet to post the counterpart, or whose chain has yet to come to it: so
// the peer is stuck as well, and following the peers from any stuck rank ends in a cycle.
std::optional<ProofFailure> Execution::find_deadlock() const {
  const auto stuck = std::find_if(progress_.begin(), progress_.end(), [](const Progress& p) { return p.pending > 0; });
  if (stuck == progress_.end()) return std::nullopt;
  std::vector<OpPosition> path;
  std::set<std::pair<int, std::size_t>> seen;
  OpPosition place = blocked_at(static_cast<int>(stuck - progress_.begin()));
  while (seen.emplace(place.rank, place.op).second) {
    path.push_back(place);
    place = blocked_by(place);
  }
  const auto is_place = [&](const OpPosition& other) { return other.rank == place.rank && other.op == place.op; };
  path.erase(path.begin(), std::find_if(path.begin(), path.end(), is_place));
  const auto lower = [](const OpPosition& a, const OpPosition& b) { return a.rank < b.rank; };
  std::rotate(path.begin(), std::min_element(path.begin(), path.end(), lower), path.end());

  std::string reason = "ranks wait for one another for ever";
  for (const OpPosition& each : path) {
    reason += fmt::format("{} rank {} waits in step {} to {}", &each == &path.front() ? ":" : ",", each.rank,
                          step_of(schedule_, each),
                          text_of(schedule_.programs[static_cast<std::size_t>(each.rank)], op_at(schedule_, each)));
  }
  const Program& program = schedule_.programs[static_cast<std::size_t>(path.front().rank)];
  ProofFailure failure = failure_at(schedule_, path.front(), Kind::deadlock,
                                    program.slices(op_at(schedule_, path.front())), std::move(reason));
  for (const OpPosition& each : path) failure.cycle.push_back(each.rank);
  return failure;
}

}  // namespace tutti::proof

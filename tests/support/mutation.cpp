#include "support/mutation.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "schedule/model/schedule.hpp"

namespace tutti::testing {
namespace {

constexpr std::array mutations{
    Mutation::drop,      Mutation::duplicate,  Mutation::swap,          Mutation::resize,      Mutation::shift,
    Mutation::rebuffer,  Mutation::retarget,   Mutation::flip,          Mutation::merge_steps, Mutation::split_step,
    Mutation::split_all, Mutation::swap_steps, Mutation::lose,          Mutation::shorten,     Mutation::unchain,
    Mutation::chain,     Mutation::stray_copy, Mutation::stray_receive,
};
constexpr std::array<std::string_view, mutations.size()> names{
    "drop",       "duplicate", "swap",       "resize", "shift",   "rebuffer", "retarget", "flip",       "merge-steps",
    "split-step", "split-all", "swap-steps", "lose",   "shorten", "unchain",  "chain",    "stray-copy", "stray-receive",
};

using Difference = std::ptrdiff_t;

/// The number of the operation of the peer that meets operation `at` of `rank`; empty where none does.
std::optional<std::size_t> other_end(const Schedule& schedule, std::size_t rank, std::size_t at) {
  const auto& ops = schedule.programs[rank].ops;
  const Op& op = ops[at];
  const auto of_pair = [&](const Op& o) {
    return o.communicates() && o.receives() == op.receives() && o.peer == op.peer;
  };
  auto earlier = std::count_if(ops.begin(), ops.begin() + static_cast<Difference>(at), of_pair);
  const auto& others = schedule.programs[static_cast<std::size_t>(op.peer)].ops;
  const auto meets = [&](const Op& o) {
    return o.communicates() && o.receives() != op.receives() && o.peer == static_cast<int>(rank) && earlier-- == 0;
  };
  const auto found = std::find_if(others.begin(), others.end(), meets);
  if (found == others.end()) return std::nullopt;
  return static_cast<std::size_t>(found - others.begin());
}

/// Changes one program at one operation.
class Change {
 public:
  Change(Mutant& mutant, std::size_t rank, std::size_t at, std::mt19937_64& random)
      : mutant_(mutant), rank_(rank), program_(mutant.schedule.programs[rank]), at_(at), random_(random) {}

  // False where the mutation does not apply here.
  bool make(Mutation mutation) {
    switch (mutation) {
      case Mutation::drop:
        return drop();
      case Mutation::duplicate:
        return duplicate();
      case Mutation::swap:
        return swap();
      case Mutation::resize:
        return each_list([this](Slice& slice) { slice.count += sign(); });
      case Mutation::shift:
        return each_list([this](Slice& slice) { slice.first += sign(); });
      case Mutation::rebuffer:
        return rebuffer();
      case Mutation::retarget:
        return retarget();
      case Mutation::flip:
        return flip();
      case Mutation::merge_steps:
        return set_end(false);
      case Mutation::split_step:
        return set_end(true);
      case Mutation::split_all:
        return split_all();
      case Mutation::swap_steps:
        return swap_steps();
      case Mutation::lose:
        return both_ends([](Change& end) { return end.drop(); });
      case Mutation::shorten:
        return both_ends([](Change& end) { return end.shorten(); });
      case Mutation::unchain:
        return set_chained(false);
      case Mutation::chain:
        return set_chained(true);
      case Mutation::stray_copy:
        return stray_copy();
      case Mutation::stray_receive:
        return stray_receive();
    }
    return false;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  std::int64_t sign() const { return up_ ? 1 : -1; }
  Op& op() { return program_.ops[at_]; }
  bool begins_step(std::size_t at) const { return at == 0 || program_.ops[at - 1].ends_step; }

  bool drop() {
    // Whoever now ends the step must say so.
    if (op().ends_step && !begins_step(at_)) program_.ops[at_ - 1].ends_step = true;
    program_.ops.erase(program_.ops.begin() + static_cast<Difference>(at_));
    return true;
  }

  bool duplicate() {
    Op twin = op();
    twin.ends_step = below(2) == 0;
    program_.ops.insert(program_.ops.begin() + static_cast<Difference>(at_), twin);
    return true;
  }

  bool swap() {
    const std::size_t other = below(program_.ops.size());
    if (other == at_) return false;
    const auto [low, high] = std::minmax(at_, other);
    mutant_.within_one_step = program_.step_end(low) > high;
    Op& a = program_.ops[at_];
    Op& b = program_.ops[other];
    std::swap(a, b);
    std::swap(a.ends_step, b.ends_step);
    return true;
  }

  // Applies `change` to one slice of one list, or to that slice of every list of the operation.
  template <typename Apply>
  bool each_list(Apply&& change) {
    up_ = below(2) == 0;
    const Op o = op();
    if (o.slices == 0) return false;
    own_slices();
    const std::size_t k = below(o.slices);
    const std::array<std::uint32_t, 3> lengths{o.slices, o.operand, o.second};
    const std::size_t lists = o.second > 0 ? 3 : o.operand > 0 ? 2 : 1;
    const std::size_t only = below(lists + 1);  // lists: all
    std::size_t begin = op().at;
    for (std::size_t list = 0; list < lists; begin += lengths[list++]) {
      if (only != lists && only != list) continue;
      change(program_.pool[begin + std::min<std::size_t>(k, lengths[list] - 1)]);
    }
    return true;
  }

  bool rebuffer() {
    const auto other = static_cast<Buffer>(below(3));
    return each_list([other](Slice& slice) { slice.buffer = other; });
  }

  // Another operation may share the slices in the pool (a duplicate does), so changes are made to a copy at the pool's
  // end.
  void own_slices() {
    const Op o = op();
    const std::size_t n = o.slices + o.operand + o.second;
    const auto fresh = static_cast<std::uint32_t>(program_.pool.size());
    for (std::size_t k = 0; k < n; ++k) program_.pool.push_back(Slice(program_.pool[o.at + k]));
    op().at = fresh;
  }

  template <typename Apply>
  bool both_ends(Apply&& change) {
    const auto peer = static_cast<std::size_t>(op().peer);
    if (!op().communicates() || peer == rank_) return false;
    const auto there = other_end(mutant_.schedule, rank_, at_);
    if (!there) return false;
    Change other(mutant_, peer, *there, random_);
    return change(*this) && change(other);
  }

  // Takes one element off the end of every list of the operation.
  bool shorten() {
    if (op().slices == 0) return false;
    own_slices();
    const Op o = op();
    --program_.pool[o.at + o.slices - 1].count;
    if (o.operand > 0) --program_.pool[o.at + o.slices + o.operand - 1].count;
    return true;
  }

  bool retarget() {
    if (!op().communicates()) return false;
    op().peer = static_cast<std::int32_t>(below(mutant_.schedule.programs.size()));
    return true;
  }

  bool flip() {
    if (op().kind == OpKind::receive_reduce) {
      op().side = op().side == Side::mine_first ? Side::received_first : Side::mine_first;
      return true;
    }
    if (op().kind != OpKind::reduce) return false;
    own_slices();
    const auto operand = program_.pool.begin() + op().at + op().slices;
    std::rotate(operand, operand + op().operand, operand + op().operand + op().second);
    std::swap(op().operand, op().second);
    return true;
  }

  bool set_end(bool ends) {
    if (op().ends_step == ends || at_ + 1 == program_.ops.size()) return false;
    op().ends_step = ends;
    program_.ops[at_ + 1].chained = program_.ops[at_ + 1].chained && !ends;
    return true;
  }

  bool set_chained(bool chained) {
    if (op().chained == chained || begins_step(at_)) return false;
    op().chained = chained;
    return true;
  }

  bool split_all() {
    for (Program& program : mutant_.schedule.programs) {
      for (Op& each : program.ops) {
        each.ends_step = true;
        each.chained = false;
      }
    }
    return true;
  }

  bool swap_steps() {
    std::size_t begin = at_;
    while (!begins_step(begin)) --begin;
    const std::size_t middle = program_.step_end(begin);
    if (middle == program_.ops.size()) return false;
    const auto ops = program_.ops.begin();
    std::rotate(ops + static_cast<Difference>(begin), ops + static_cast<Difference>(middle),
                ops + static_cast<Difference>(program_.step_end(middle)));
    return true;
  }

  // The first element of what this rank must leave as it is, and those beside its buffers, drawn by lot.
  Slice to_leave_alone() {
    const Problem& problem = mutant_.schedule.problem;
    const auto rank = static_cast<int>(rank_);
    const auto size = [&](Buffer buffer) { return buffer_size(problem, rank, buffer); };
    std::vector<Slice> places{{Buffer::input, size(Buffer::input), 1}, {Buffer::output, size(Buffer::output), 1}};
    if (size(Buffer::input) > 0) places.push_back({Buffer::input, 0, 1});
    const bool scans = problem.collective == Collective::exclusive_scan && rank == 0;
    const bool reduces = problem.collective == Collective::reduce && problem.in_place && rank != problem.root;
    if ((scans || reduces) && problem.count > 0) places.assign({{Buffer::output, 0, 1}});
    return places[below(places.size())];
  }

  // The last element of what an operation of this rank reads; empty where the operation reads nothing.
  std::optional<Slice> held() const {
    const Op& op = program_.ops[at_];
    const auto read = op.kind == OpKind::send ? program_.slices(op) : program_.operand(op);
    if (read.empty() || read.back().count == 0) return std::nullopt;
    return Slice{read.back().buffer, read.back().end() - 1, 1};
  }

  // Adds a step of one operation behind the step of operation `at`.
  void add_step(std::size_t at, Op fresh, std::initializer_list<Slice> slices) {
    fresh.ends_step = true;
    fresh.at = static_cast<std::uint32_t>(program_.pool.size());
    fresh.slices = 1;
    fresh.operand = static_cast<std::uint32_t>(slices.size() - 1);
    program_.pool.insert(program_.pool.end(), slices);
    program_.ops.insert(program_.ops.begin() + static_cast<Difference>(program_.step_end(at)), fresh);
  }

  bool stray_copy() {
    const auto from = held();
    const Slice to = to_leave_alone();
    if (!from || *from == to) return false;
    add_step(at_, {.kind = OpKind::copy}, {to, *from});
    return true;
  }

  // The message travels when both ranks have done all else, so that it harms nothing but what it is received into.
  bool stray_receive() {
    const std::size_t sender = below(mutant_.schedule.programs.size());
    Program& other = mutant_.schedule.programs[sender];
    if (sender == rank_ || other.ops.empty()) return false;
    Change there(mutant_, sender, below(other.ops.size()), random_);
    const auto sent = there.held();
    if (!sent) return false;
    add_step(program_.ops.size() - 1, {.kind = OpKind::receive, .peer = static_cast<std::int32_t>(sender)},
             {to_leave_alone()});
    there.add_step(other.ops.size() - 1, {.kind = OpKind::send, .peer = static_cast<std::int32_t>(rank_)}, {*sent});
    return true;
  }

  Mutant& mutant_;
  std::size_t rank_;
  Program& program_;
  std::size_t at_;
  std::mt19937_64& random_;
  bool up_ = true;
};

// Whether the texts of both differ: nearly always that of the rank which was changed does, and the others are not
// looked at then.
bool differ(const Schedule& a, const Schedule& b, std::size_t rank) {
  const auto text = [&](const Schedule& schedule) {
    return text_of_rank(static_cast<int>(rank), schedule.programs[rank], schedule.layout);
  };
  return text(a) != text(b) || text_of(a) != text_of(b);
}

}  // namespace

std::span<const Mutation> all_mutations() { return mutations; }

std::string_view name_of(Mutation mutation) { return names[static_cast<std::size_t>(mutation)]; }

std::optional<Mutant> mutated(const Schedule& schedule, Mutation mutation, std::mt19937_64& random) {
  std::vector<std::size_t> busy;
  for (std::size_t rank = 0; rank < schedule.programs.size(); ++rank) {
    if (!schedule.programs[rank].ops.empty()) busy.push_back(rank);
  }
  if (busy.empty()) return std::nullopt;
  const std::size_t rank = busy[static_cast<std::size_t>(random() % busy.size())];
  Mutant mutant{.schedule = schedule};
  const Program& program = mutant.schedule.programs[rank];
  const std::size_t at = static_cast<std::size_t>(random() % program.ops.size());
  const Op before = program.ops[at];
  mutant.communicates = before.communicates();
  mutant.change = std::string(name_of(mutation)) + ": rank " + std::to_string(rank) + ", operation " +
                  std::to_string(at) + ", " + text_of(program, before);
  const std::string written_before = text_of(Slices(program.slices(before)));
  if (!Change(mutant, rank, at, random).make(mutation)) return std::nullopt;
  if (!differ(mutant.schedule, schedule, rank)) return std::nullopt;
  const bool still_there = at < program.ops.size() && program.ops[at].kind == before.kind;
  mutant.reads_only = still_there && (before.kind == OpKind::send ||
                                      text_of(Slices(program.slices(program.ops[at]))) == written_before);
  return mutant;
}

}  // namespace tutti::testing

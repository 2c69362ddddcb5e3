#include "verify/well_formed.hpp"

#include <fmt/format.h>

#include <array>

#include "tutti/error.hpp"
#include "verify/failure.hpp"

namespace tutti::proof {
namespace {

using Kind = ProofFailure::Kind;

constexpr std::int64_t largest_size = std::int64_t{1} << 62;

/// The checks of one rank's program.
class ProgramCheck {
 public:
  ProgramCheck(const Schedule& schedule, int rank)
      : schedule_(schedule), rank_(rank), program_(schedule.programs[static_cast<std::size_t>(rank)]) {
    for (const Buffer buffer : {Buffer::input, Buffer::output}) {
      sizes_[static_cast<std::size_t>(buffer)] = buffer_size(schedule.problem, rank, buffer);
    }
    sizes_[static_cast<std::size_t>(Buffer::scratch)] = program_.scratch;
  }

  std::optional<ProofFailure> run() const {
    if (program_.scratch < 0 || program_.scratch > largest_size) {
      return ProofFailure{
          .kind = Kind::malformed, .rank = rank_, .reason = fmt::format("{} elements of scratch", program_.scratch)};
    }
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
      if (auto failure = check_op(i)) return failure;
    }
    if (!program_.ops.empty() && !program_.ops.back().ends_step) {
      return malformed(program_.ops.size() - 1, {}, "the last step does not end: the rank never waits for it");
    }
    return std::nullopt;
  }

 private:
  ProofFailure malformed(std::size_t op, Slices slices, std::string reason) const {
    return failure_at(schedule_, {rank_, op}, Kind::malformed, slices, std::move(reason));
  }

  std::optional<ProofFailure> check_op(std::size_t i) const {
    const Op& op = program_.ops[i];
    if (op.kind > OpKind::reduce) return malformed(i, {}, "an operation of no known kind");
    if (op.chained) {
      if (auto failure = check_chaining(i)) return failure;
    }
    if (std::uint64_t{op.at} + op.slices + op.operand + op.second > program_.pool.size()) {
      return malformed(i, {}, "its slices lie beyond the program's pool");
    }
    if (op.communicates() && (op.peer < 0 || op.peer >= schedule_.problem.ranks || op.peer == rank_)) {
      return malformed(i, program_.slices(op),
                       op.peer == rank_
                           ? fmt::format("{} with rank {}, which is this rank itself", name_of(op.kind), op.peer)
                           : fmt::format("{} with rank {}, but the ranks are 0 to {}", name_of(op.kind), op.peer,
                                         schedule_.problem.ranks - 1));
    }
    const bool combines = op.kind == OpKind::receive_reduce || op.kind == OpKind::reduce;
    if (combines && !reduces(schedule_.problem.collective)) {
      return malformed(
          i, program_.slices(op),
          fmt::format("{} has no operator to {} with", name_of(schedule_.problem.collective), name_of(op.kind)));
    }
    for (const auto list : {program_.slices(op), program_.operand(op), program_.second(op)}) {
      if (auto failure = check_slices(i, list)) return failure;
    }
    if (auto failure = check_lengths(i)) return failure;
    if (op.kind == OpKind::send) return std::nullopt;
    for (const Slice& slice : program_.slices(op)) {
      if (slice.buffer == Buffer::input && slice.count > 0) return malformed(i, slice, "writes the caller's input");
    }
    return std::nullopt;
  }

  std::optional<ProofFailure> check_chaining(std::size_t i) const {
    if (i == 0 || program_.ops[i - 1].ends_step) return malformed(i, {}, "chained to nothing: it begins a step");
    for (const std::size_t each : {i - 1, i}) {
      if (program_.ops[each].kind == OpKind::send)
        return malformed(each, {}, "a send in a chain: sends begin with the step");
    }
    return std::nullopt;
  }

  std::optional<ProofFailure> check_slices(std::size_t i, std::span<const Slice> list) const {
    std::int64_t total = 0;
    for (const Slice& slice : list) {
      if (static_cast<std::size_t>(slice.buffer) >= sizes_.size())
        return malformed(i, {}, "a slice of no known buffer");
      const std::int64_t size = sizes_[static_cast<std::size_t>(slice.buffer)];
      if (slice.first < 0 || slice.count < 0 || slice.count > size || slice.first > size - slice.count) {
        return malformed(i, slice, fmt::format("beyond the {} of {}", name_of(slice.buffer), elements_text(size)));
      }
      if (slice.count > largest_size - total) return malformed(i, slice, "a message of more than 2^62 elements");
      total += slice.count;
    }
    return std::nullopt;
  }

  std::optional<ProofFailure> check_lengths(std::size_t i) const {
    const Op& op = program_.ops[i];
    const std::int64_t length = Slices(program_.slices(op)).elements();
    const bool has_operand = op.kind == OpKind::receive_reduce || op.kind == OpKind::copy || op.kind == OpKind::reduce;
    const std::int64_t operand = has_operand ? length : 0;
    const std::int64_t second = op.kind == OpKind::reduce ? length : 0;
    if (Slices(program_.operand(op)).elements() != operand || Slices(program_.second(op)).elements() != second) {
      return malformed(i, program_.slices(op), fmt::format("the lists of this {} differ in length", name_of(op.kind)));
    }
    return std::nullopt;
  }

  const Schedule& schedule_;
  int rank_;
  const Program& program_;
  std::array<std::int64_t, 3> sizes_{};
};

}  // namespace

std::optional<ProofFailure> find_malformed(const Schedule& schedule) {
  try {
    check(schedule.problem);
  } catch (const Error& error) {
    return ProofFailure{.kind = Kind::malformed, .reason = error.what()};
  }
  if (schedule.problem.known_to >= 0) {
    return ProofFailure{
        .kind = Kind::malformed,
        .reason = fmt::format("the problem is known to rank {} alone: what the others exchange is not said",
                              schedule.problem.known_to)};
  }
  if (schedule.programs.size() != static_cast<std::size_t>(schedule.problem.ranks)) {
    return ProofFailure{
        .kind = Kind::malformed,
        .reason = fmt::format("{} programs for {} ranks", schedule.programs.size(), schedule.problem.ranks)};
  }
  for (int rank = 0; rank < schedule.problem.ranks; ++rank) {
    if (auto failure = ProgramCheck(schedule, rank).run()) return failure;
  }
  return std::nullopt;
}

}  // namespace tutti::proof

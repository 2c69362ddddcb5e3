#include "runtime/invocation.hpp"

#include <span>

#include "runtime/sizes.hpp"

namespace tutti::runtime {
namespace {

template <typename T>
std::uint64_t hash_of(std::span<const T> values) {
  std::uint64_t hash = values.size();
  for (const T value : values) {
    hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29;
  }
  return hash;
}

Problem problem_of(const detail::Call& call, const Member& member) {
  Problem problem{.collective = call.collective, .ranks = member.size()};
  problem.count = checked_count(call, member);
  problem.in_place = checked_in_place(call, member);
  if (has_root(call.collective)) problem.root = call.root;
  if (call.collective == Collective::shift) problem.distance = call.distance;
  if (reduces(call.collective)) problem.commutative = call.op.commutative;
  if (call.by_counts && call.collective != Collective::all_to_all)
    problem.counts.assign(call.counts.begin(), call.counts.end());
  problem.segments = call.options.segments;
  if (!call.options.grid.empty()) problem.grid = Shape(call.options.grid);
  return problem;
}

Signature signature_of(const Invocation& invocation, const detail::Call& call) {
  const Problem& problem = invocation.problem;
  Signature signature{
      .collective = problem.collective, .by_counts = call.by_counts, .commutative = problem.commutative};
  signature.root = problem.root;
  signature.distance = problem.distance;
  signature.segments = problem.segments;
  signature.count = problem.count;
  signature.counts = hash_of(std::span<const std::int64_t>(problem.counts));
  signature.grid = hash_of(std::span<const int>(call.options.grid));
  signature.type = call.type.identity;
  signature.type_name = call.type.name;
  signature.op = call.op.identity;
  signature.op_name = call.op.name;
  return signature;
}

std::byte* bytes(const void* data) { return static_cast<std::byte*>(const_cast<void*>(data)); }

}  // namespace

Invocation invocation_of(const detail::Call& call, Member& member) {
  Invocation invocation{.problem = problem_of(call, member),
                        .algorithm = std::string(call.options.algorithm),
                        .type = call.type,
                        .op = call.op};
  // Input is only read: the executor writes to output and scratch alone.
  invocation.bindings.base = {bytes(call.input), bytes(call.output), nullptr};
  invocation.bindings.element_size = call.type.size;
  invocation.signature = signature_of(invocation, call);
  if (call.by_counts && call.collective == Collective::all_to_all) {
    invocation.own_counts.assign(call.counts.begin(), call.counts.end());
    invocation.own_counts.insert(invocation.own_counts.end(), call.receive_counts.begin(), call.receive_counts.end());
    check(invocation.problem);
    if (!invocation.algorithm.empty()) {
      invocation.signature.algorithm = algorithm_for(invocation.problem, invocation.algorithm, call.type.size, {}).name;
    }
  } else {
    invocation.recipe = member.recipes().find(invocation.problem, invocation.algorithm, call.type.size);
    invocation.signature.algorithm = invocation.recipe->algorithm->name;
  }
  invocation.signature.seal();
  return invocation;
}

Invocation meeting(Purpose purpose, std::int64_t color, std::int64_t key) {
  Invocation invocation;
  invocation.signature = {.purpose = purpose, .color = color, .key = key};
  invocation.signature.seal();
  return invocation;
}

}  // namespace tutti::runtime

#include "runtime/prepared.hpp"

#include <span>

#include "execute/executor.hpp"
#include "runtime/communicator_state.hpp"
#include "runtime/signature.hpp"
#include "runtime/sizes.hpp"
#include "schedule/displaced.hpp"
#include "schedule/read_only.hpp"

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

Problem problem_of(const untyped::Call& call, const CommunicatorState& communicator) {
  Problem problem{.collective = call.collective, .ranks = communicator.size()};
  problem.count = checked_count(call, communicator);
  problem.in_place = checked_in_place(call, communicator);
  if (has_root(call.collective)) problem.root = call.root;
  if (call.collective == Collective::shift) problem.distance = call.distance;
  if (reduces(call.collective)) problem.commutative = call.op.commutative;
  if (call.by_counts && !counts_travel(call)) {
    problem.counts.assign(call.counts.begin(), call.counts.end());
  }
  return problem;
}

Parameters parameters_of(const CollectiveOptions& options) {
  return {.segments = options.segments, .grid = options.grid.empty() ? Shape() : Shape(options.grid)};
}

Signature signature_of(const Problem& problem, const Parameters& parameters, const untyped::Call& call) {
  Signature signature{
      .collective = problem.collective, .by_counts = call.by_counts, .commutative = problem.commutative};
  signature.root = problem.root;
  signature.distance = problem.distance;
  signature.count = problem.count;
  signature.counts = call.counts_at_root ? counts_at_root : hash_of(std::span<const std::int64_t>(problem.counts));
  signature.parameters = hash_of(parameters);
  signature.parameters_in_words = std::string_view(describe(parameters));
  signature.type = call.type.identity;
  signature.type_name = call.type.name;
  signature.op = call.op.identity;
  signature.op_name = call.op.name;
  return signature;
}

void displace(Prepared& prepared, const untyped::Call& call) {
  const bool is_in_output = call.collective == Collective::gather || call.collective == Collective::all_gather;
  auto& displacements = is_in_output ? prepared.output_displacements : prepared.input_displacements;
  displacements.assign(call.displacements.begin(), call.displacements.end());
  if (call.collective == Collective::all_to_all)
    prepared.output_displacements.assign(call.receive_displacements.begin(), call.receive_displacements.end());
}

/// Finds out who names the algorithm. What the environment names is signed as it stands there: ranks whose environments
/// differ are told so at once, and not only where the algorithms differ.
void name_algorithm(Prepared& prepared) {
  const Algorithm* const named = named_algorithm(prepared.problem, prepared.wish.algorithm);
  if (named == nullptr) return;
  const bool by_call = !prepared.wish.algorithm.empty();
  prepared.signature.named_by = by_call ? NamedBy::call : NamedBy::environment;
  prepared.signature.algorithm = by_call ? named->name : algorithm_in_environment(prepared.problem.collective);
  prepared.wish.algorithm = named->name;
}

}  // namespace

std::size_t Preparations::Key::place() const {
  std::uint64_t hash = static_cast<std::uint64_t>(collective) + type + op;
  hash = (hash ^ static_cast<std::uint64_t>(input_size)) * 0x9e3779b97f4a7c15U;
  hash = (hash ^ static_cast<std::uint64_t>(output_size) ^ static_cast<std::uint32_t>(root)) * 0x9e3779b97f4a7c15U;
  return static_cast<std::size_t>(hash >> 40) % entries;
}

const std::shared_ptr<const Prepared>& Preparations::look_up(const untyped::Call& call,
                                                             const CommunicatorState& communicator) {
  if (!is_plain(call)) return latest_ = prepare(call, communicator);
  const Key key = key_of(call);
  Entry& entry = known_[key.place()];
  if (!(entry.prepared != nullptr && entry.key == key)) {
    entry.prepared = prepare(call, communicator);
    entry.key = key;
  }
  last_ = &entry;
  return entry.prepared;
}

std::shared_ptr<const Prepared> Preparations::prepare(const untyped::Call& call,
                                                      const CommunicatorState& communicator) {
  Prepared prepared{.problem = problem_of(call, communicator),
                    .wish = {call.options->algorithm, parameters_of(*call.options)},
                    .type = call.type,
                    .signature = {},
                    .recipe = nullptr,
                    .compiled = std::nullopt};
  prepared.signature = signature_of(prepared.problem, prepared.wish.parameters, call);
  check(prepared.problem);
  check(prepared.wish.parameters, prepared.problem.ranks);
  name_algorithm(prepared);
  prepared.read_only = call.read_only;
  displace(prepared, call);
  if (!call.by_counts || !counts_travel(call)) {
    prepared.recipe = recipes_.find(prepared.problem, prepared.wish, call.type.size);
    if (prepared.signature.algorithm.empty()) prepared.signature.algorithm = prepared.recipe->choice.algorithm->name;
  }
  return finished(std::move(prepared));
}

std::shared_ptr<const Prepared> Preparations::with_counts(const Prepared& known, std::vector<std::int64_t> counts) {
  Prepared prepared = known;
  prepared.problem.counts = std::move(counts);
  prepared.recipe = recipes_.find(prepared.problem, prepared.wish, prepared.type.size);
  return finished(std::move(prepared));
}

const std::shared_ptr<const Prepared>& Preparations::count_exchange(int ranks, std::int64_t counts) {
  std::shared_ptr<const Prepared>& exchange = counts == 1 ? size_exchange_ : count_exchange_;
  if (exchange != nullptr) return exchange;
  Prepared prepared{.problem = {.collective = Collective::all_gather, .ranks = ranks, .count = counts},
                    .wish = {},
                    .type = detail::datatype_of<std::int64_t>(),
                    .signature = {},
                    .recipe = nullptr,
                    .compiled = std::nullopt};
  prepared.recipe = recipes_.cheapest(prepared.problem, prepared.type.size);
  return exchange = finished(std::move(prepared));
}

CompiledProgram Preparations::compiled(const Prepared& prepared) const {
  const Program& program = prepared.recipe->program;
  if (prepared.read_only) return CompiledProgram(writing_elsewhere(program, Buffer::output));
  if (prepared.input_displacements.empty() && prepared.output_displacements.empty()) return CompiledProgram(program);
  Program moved = program;
  const auto move = [&](Buffer buffer, const Blocks& blocks, const std::vector<std::int64_t>& displacements) {
    // Elsewhere than at the root there are no blocks.
    if (displacements.size() == static_cast<std::size_t>(blocks.size()))
      moved = displaced(moved, buffer, blocks, displacements);
  };
  move(Buffer::input, input_blocks(prepared.problem, rank_), prepared.input_displacements);
  move(Buffer::output, output_blocks(prepared.problem, rank_), prepared.output_displacements);
  return CompiledProgram(moved);
}

std::shared_ptr<const Prepared> Preparations::finished(Prepared&& prepared) {
  if (prepared.recipe) prepared.compiled.emplace(compiled(prepared));
  const auto brief = prepared.compiled ? brief_elements(*prepared.compiled) : std::nullopt;
  prepared.brief_bytes = brief ? *brief * prepared.type.size : -1;
  prepared.signature.seal();
  return std::make_shared<const Prepared>(std::move(prepared));
}

Signature meeting(Purpose purpose, std::int64_t color, std::int64_t key) {
  Signature signature{.purpose = purpose, .color = color, .key = key};
  signature.seal();
  return signature;
}

}  // namespace tutti::runtime

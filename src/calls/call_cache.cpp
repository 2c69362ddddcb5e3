#include "calls/call_cache.hpp"

#include <algorithm>
#include <span>

#include "agreement/disagreement.hpp"
#include "base/digest.hpp"
#include "calls/sizes.hpp"
#include "execute/executor.hpp"
#include "schedule/rewrite/program_compiler.hpp"
#include "schedule/rewrite/rewrites.hpp"

namespace tutti::runtime {
namespace {

template <typename T>
std::uint64_t hash_of(std::span<const T> values) {
  std::uint64_t hash = values.size();
  for (const T value : values) hash = mixed(hash, static_cast<std::uint64_t>(value));
  return hash;
}

/// Tells counts from others of the same sum. No term waits for another one, unlike in hash_of(): a call that is found
/// again spends a large part of its time here.
std::uint64_t weighed(std::span<const std::int64_t> counts) {
  std::uint64_t sum = 0;
  std::uint64_t weight = 0x9e3779b97f4a7c15U;
  for (const std::int64_t count : counts) {
    sum += static_cast<std::uint64_t>(count) * weight;
    weight += 0xbf58476d1ce4e5b9U;
  }
  return sum;
}

/// Returns what this rank sends to each rank and then what it receives from each, where the root alone has the counts.
std::vector<std::int64_t> counts_by_root(const untyped::Call& call, int ranks, int rank) {
  const auto p = static_cast<std::size_t>(ranks);
  const auto root = static_cast<std::size_t>(call.root);
  const bool gathers = call.collective == Collective::gather;
  std::vector<std::int64_t> counts(2 * p, 0);
  counts[gathers ? root : p + root] = gathers ? call.input_size : call.output_size;
  if (rank == call.root) std::ranges::copy(call.counts, counts.begin() + (gathers ? ranks : 0));
  return counts;
}

/// This rank's, in one list.
std::vector<std::int64_t> counts_of(const untyped::Call& call) {
  std::vector<std::int64_t> counts(call.counts.begin(), call.counts.end());
  counts.insert(counts.end(), call.receive_counts.begin(), call.receive_counts.end());
  return counts;
}

Problem problem_of(const untyped::Call& call, int ranks, int rank) {
  Problem problem{.collective = call.collective, .ranks = ranks};
  problem.count = checked_count(call, ranks, rank);
  problem.in_place = checked_in_place(call, rank);
  if (has_root(call.collective)) problem.root = call.root;
  if (call.collective == Collective::shift) problem.distance = call.distance;
  if (reduces(call.collective)) problem.commutative = call.op.commutative;
  if (!call.by_counts) return problem;
  const bool all_know = !call.counts_at_root && call.collective != Collective::all_to_all;
  if (!all_know) problem.known_to = rank;
  if (call.counts_at_root && rank != call.root) {
    problem.counts.assign(static_cast<std::size_t>(ranks), 0);
    problem.counts[static_cast<std::size_t>(rank)] =
        call.collective == Collective::gather ? call.input_size : call.output_size;
  } else {
    problem.counts = counts_of(call);
  }
  return problem;
}

Parameters parameters_of(const CollectiveOptions& options) {
  return {.segments = options.segments,
          .radix = options.radix,
          .grid = options.grid.empty() ? Shape() : Shape(options.grid)};
}

Signature signature_of(const Problem& problem, const Parameters& parameters, const untyped::Call& call) {
  Signature signature{
      .collective = problem.collective, .by_counts = call.by_counts, .commutative = problem.commutative};
  signature.root = problem.root;
  signature.distance = problem.distance;
  signature.count = problem.count;
  const bool own_alone = problem.known_to >= 0;
  const std::span<const std::int64_t> alike = own_alone ? std::span<const std::int64_t>() : problem.counts;
  signature.counts = call.counts_at_root ? counts_at_root : hash_of(alike);
  signature.parameters = hash_of(parameters);
  signature.parameters_in_words = std::string_view(describe(parameters));
  signature.type = call.type.identity;
  signature.type_name = call.type.name;
  signature.op = call.op.identity;
  signature.op_name = call.op.name;
  return signature;
}

/// Returns the place in which the call's displacements are kept.
template <typename Prepared>
auto& displacements_in(Prepared& prepared) {
  const Collective collective = prepared.problem.collective;
  const bool is_in_output = collective == Collective::gather || collective == Collective::all_gather;
  return is_in_output ? prepared.output_displacements : prepared.input_displacements;
}

/// Returns the buffer that is a block of the other one, for a call whose is_in_own_block is true.
Buffer inner_buffer(const PreparedCall& prepared) {
  return prepared.problem.collective == Collective::scatter ? Buffer::output : Buffer::input;
}

/// Returns that block of the rank's.
Slice own_block(const PreparedCall& prepared, int rank) {
  const bool is_in_input = inner_buffer(prepared) == Buffer::output;
  const Blocks blocks = is_in_input ? input_blocks(prepared.problem, rank) : output_blocks(prepared.problem, rank);
  const auto& displacements = displacements_in(prepared);
  const std::int64_t first = displacements.empty() ? blocks.first(rank) : displacements[static_cast<std::size_t>(rank)];
  return {is_in_input ? Buffer::input : Buffer::output, first, blocks.first(rank + 1) - blocks.first(rank)};
}

/// Decides whether counts must travel before the algorithm can run, which is `named` where somebody names one.
void settle_exchange(PreparedCall& prepared, const untyped::Call& call, const Algorithm* named) {
  const bool own_alone = prepared.problem.known_to >= 0;
  const bool own_suffice = own_alone && (named == nullptr || named->own_blocks_suffice);
  prepared.counts_travel = own_alone && !own_suffice;
  if (own_alone) {
    const int rank = prepared.problem.known_to;
    prepared.own_counts = call.counts_at_root ? counts_by_root(call, prepared.problem.ranks, rank) : counts_of(call);
    const std::span<const std::int64_t> own = prepared.own_counts;
    if (own_suffice)
      prepared.signature.balance = balance_of(rank, own.first(own.size() / 2), own.subspan(own.size() / 2));
  }
  if (!prepared.counts_travel) return;
  prepared.exchange = call.counts_at_root ? PreliminaryExchange::size_of_each : PreliminaryExchange::counts_of_each;
  prepared.problem.counts.clear();
  prepared.problem.known_to = -1;
}

void displace(PreparedCall& prepared, const untyped::Call& call) {
  displacements_in(prepared).assign(call.displacements.begin(), call.displacements.end());
  if (call.collective == Collective::all_to_all)
    prepared.output_displacements.assign(call.receive_displacements.begin(), call.receive_displacements.end());
}

/// Finds out who names the algorithm, and which; null: nobody does. What the environment names is signed as it stands
/// there: ranks whose environments differ are told so at once, and not only where the algorithms differ.
const Algorithm* name_algorithm(PreparedCall& prepared, const Layout& layout) {
  const Algorithm* const named = named_algorithm(prepared.problem, prepared.request.algorithm, layout);
  if (named == nullptr) return named;
  const bool by_call = !prepared.request.algorithm.empty();
  prepared.signature.named_by = by_call ? NamedBy::call : NamedBy::environment;
  prepared.signature.algorithm = by_call ? named->name : algorithm_in_environment(prepared.problem.collective);
  prepared.request.algorithm = named->name;
  return named;
}

}  // namespace

std::size_t CallCache::Key::place(const untyped::Call& call) const {
  std::uint64_t hash = std::uint64_t{what} + type + op;
  hash = (hash ^ static_cast<std::uint64_t>(input_size)) * 0x9e3779b97f4a7c15U;
  hash = (hash ^ static_cast<std::uint64_t>(output_size) ^ static_cast<std::uint32_t>(root)) * 0x9e3779b97f4a7c15U;
  if (call.by_counts) hash += weighed(call.counts) + 3 * weighed(call.receive_counts);
  return static_cast<std::size_t>(hash >> 40) % entries;
}

const std::shared_ptr<const PreparedCall>& CallCache::look_up(const untyped::Call& call) {
  if (!is_kept(call)) return latest_ = prepare(call);
  const Key key = key_of(call, number_of(*call.options));
  Entry& entry = known_[key.place(call)];
  if (!entry.holds(key, call, rank_)) {
    entry.prepared = prepare(call);
    entry.key = key;
  }
  last_ = &entry;
  return entry.prepared;
}

bool CallCache::has_counts_of(const PreparedCall& prepared, const untyped::Call& call, int rank) {
  using std::ranges::equal;
  if (!equal(displacements_in(prepared), call.displacements)) return false;
  if (prepared.own_counts.empty()) return equal(prepared.problem.counts, call.counts);
  const std::span<const std::int64_t> known = prepared.own_counts;
  const std::size_t p = known.size() / 2;
  const auto sent = known.first(p);
  const auto received = known.subspan(p);
  if (call.counts_at_root) {
    // Elsewhere than at the root the sizes of the buffers say all.
    return rank != call.root || equal(call.collective == Collective::gather ? received : sent, call.counts);
  }
  return equal(sent, call.counts) && equal(received, call.receive_counts) &&
         equal(prepared.output_displacements, call.receive_displacements);
}

std::uint8_t CallCache::number_of(const CollectiveOptions& options) {
  if (leaves_open(options)) return 0;
  const auto found = std::find_if(requests_.begin(), requests_.end(), [&](const KeptRequest& kept) {
    return kept.algorithm == options.algorithm && kept.options.segments == options.segments &&
           kept.options.radix == options.radix && kept.options.grid == options.grid &&
           kept.options.planning == options.planning;
  });
  if (found != requests_.end()) return static_cast<std::uint8_t>(found - requests_.begin()) + 1;
  if (requests_.size() == most_requests) {
    // Numbers begin anew, and no call has an old one.
    requests_.clear();
    forget_all();
  }
  requests_.push_back({std::string(options.algorithm), options});
  requests_.back().options.algorithm = {};
  return static_cast<std::uint8_t>(requests_.size());
}

std::shared_ptr<const PreparedCall> CallCache::prepare(const untyped::Call& call) {
  PreparedCall prepared{.problem = problem_of(call, ranks_, rank_),
                        .request = {call.options->algorithm, parameters_of(*call.options)},
                        .type = call.type,
                        .signature = {},
                        .plan = nullptr,
                        .compiled = std::nullopt};
  prepared.signature = signature_of(prepared.problem, prepared.request.parameters, call);
  check(prepared.problem);
  check(prepared.request, prepared.problem);
  const Algorithm* const named = name_algorithm(prepared, plans_.layout());
  settle_exchange(prepared, call, named);
  prepared.signature.planning = planning_of(call);
  prepared.read_only = call.read_only;
  prepared.is_in_own_block = untyped::lies_in_own_block(call, rank_);
  displace(prepared, call);
  if (!prepared.counts_travel) {
    prepared.plan = plans_.find(prepared.problem, prepared.request, call.type.size);
    if (prepared.signature.algorithm.empty()) prepared.signature.algorithm = prepared.plan->choice.algorithm->name;
    if (prepared.signature.planning != Planning::estimate) {
      measure(prepared, prepared.signature.planning);
    } else if (!rounds(call, ranks_)) {
      remember(prepared);
    }
  }
  return finished(std::move(prepared));
}

std::shared_ptr<const PreparedCall> CallCache::with_counts(const std::shared_ptr<const PreparedCall>& known,
                                                           std::vector<std::int64_t> counts) {
  Counted& counted = counted_[hash_of(std::span<const std::int64_t>(counts)) % most_counted];
  if (counted.known == known && counted.prepared->problem.counts == counts) return counted.prepared;
  PreparedCall prepared = *known;
  prepared.problem.counts = std::move(counts);
  prepared.plan = plans_.find(prepared.problem, prepared.request, prepared.type.size);
  counted = {known, finished(std::move(prepared))};
  return counted.prepared;
}

const std::shared_ptr<const PreparedCall>& CallCache::exchange(PreliminaryExchange what) {
  std::shared_ptr<const PreparedCall>& known = exchanges_[static_cast<std::size_t>(what)];
  if (known != nullptr) return known;
  Problem problem{.collective = Collective::all_gather, .ranks = ranks_, .count = 1};
  if (what == PreliminaryExchange::counts_of_each) problem.count = 2 * ranks_;
  if (what == PreliminaryExchange::verdict) problem = {.collective = Collective::barrier, .ranks = ranks_};
  if (what == PreliminaryExchange::slowest)
    problem = {.collective = Collective::all_reduce, .ranks = ranks_, .count = Trial::most_rows};
  PreparedCall prepared{.problem = std::move(problem),
                        .request = {},
                        .type = detail::datatype_of<std::int64_t>(),
                        .signature = {},
                        .plan = nullptr,
                        .compiled = std::nullopt};
  prepared.plan = plans_.cheapest(prepared.problem, prepared.type.size);
  return known = finished(std::move(prepared));
}

CompiledProgram CallCache::compiled(const PreparedCall& prepared) const {
  const Program& program = prepared.plan->program;
  if (prepared.read_only) return compile(with_read_only(program, Buffer::output));
  const bool is_as_recorded =
      prepared.input_displacements.empty() && prepared.output_displacements.empty() && !prepared.is_in_own_block;
  if (is_as_recorded) return compile(program);
  Program moved = program;
  const auto move = [&](Buffer buffer, const Blocks& blocks, const std::vector<std::int64_t>& displacements) {
    // Elsewhere than at the root there are no blocks.
    if (displacements.size() == static_cast<std::size_t>(blocks.size()))
      moved = with_displacements(moved, buffer, blocks, displacements);
  };
  move(Buffer::input, input_blocks(prepared.problem, rank_), prepared.input_displacements);
  move(Buffer::output, output_blocks(prepared.problem, rank_), prepared.output_displacements);
  if (prepared.is_in_own_block) moved = with_in_place_block(moved, inner_buffer(prepared), own_block(prepared, rank_));
  return compile(moved);
}

std::shared_ptr<const PreparedCall> CallCache::finished(PreparedCall&& prepared) {
  if (prepared.plan) prepared.compiled.emplace(compiled(prepared));
  const auto most = prepared.compiled ? fast_path_elements(*prepared.compiled) : std::nullopt;
  prepared.fast_path_bytes = most ? *most * prepared.type.size : -1;
  prepared.signature.seal();
  return std::make_shared<const PreparedCall>(std::move(prepared));
}

}  // namespace tutti::runtime

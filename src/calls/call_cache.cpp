#include "calls/call_cache.hpp"

#include <algorithm>
#include <span>

#include "agreement/disagreement.hpp"
#include "calls/sizes.hpp"
#include "execute/executor.hpp"
#include "schedule/displaced.hpp"
#include "schedule/own_block.hpp"
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

Problem problem_of(const untyped::Call& call, int ranks, int rank) {
  Problem problem{.collective = call.collective, .ranks = ranks};
  problem.count = checked_count(call, ranks, rank);
  problem.in_place = checked_in_place(call, rank);
  if (has_root(call.collective)) problem.root = call.root;
  if (call.collective == Collective::shift) problem.distance = call.distance;
  if (reduces(call.collective)) problem.commutative = call.op.commutative;
  if (call.by_counts && !counts_travel(call)) {
    problem.counts.assign(call.counts.begin(), call.counts.end());
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
  signature.counts = call.counts_at_root ? counts_at_root : hash_of(std::span<const std::int64_t>(problem.counts));
  signature.parameters = hash_of(parameters);
  signature.parameters_in_words = std::string_view(describe(parameters));
  signature.type = call.type.identity;
  signature.type_name = call.type.name;
  signature.op = call.op.identity;
  signature.op_name = call.op.name;
  return signature;
}

/// Where the call's displacements are kept.
template <typename Prepared>
auto& displacements_in(Prepared& prepared) {
  const Collective collective = prepared.problem.collective;
  const bool is_in_output = collective == Collective::gather || collective == Collective::all_gather;
  return is_in_output ? prepared.output_displacements : prepared.input_displacements;
}

/// Of a call whose is_in_own_block is true: the buffer that is a block of the other one.
Buffer inner_buffer(const PreparedCall& prepared) {
  return prepared.problem.collective == Collective::scatter ? Buffer::output : Buffer::input;
}

/// That block of the rank's.
Slice own_block(const PreparedCall& prepared, int rank) {
  const bool is_in_input = inner_buffer(prepared) == Buffer::output;
  const Blocks blocks = is_in_input ? input_blocks(prepared.problem, rank) : output_blocks(prepared.problem, rank);
  const auto& displacements = displacements_in(prepared);
  const std::int64_t first = displacements.empty() ? blocks.first(rank) : displacements[static_cast<std::size_t>(rank)];
  return {is_in_input ? Buffer::input : Buffer::output, first, blocks.first(rank + 1) - blocks.first(rank)};
}

/// Keeps the counts that have yet to travel: by them the call is found again.
void keep_counts(PreparedCall& prepared, const untyped::Call& call) {
  prepared.send_counts.assign(call.counts.begin(), call.counts.end());
  prepared.receive_counts.assign(call.receive_counts.begin(), call.receive_counts.end());
}

void displace(PreparedCall& prepared, const untyped::Call& call) {
  displacements_in(prepared).assign(call.displacements.begin(), call.displacements.end());
  if (call.collective == Collective::all_to_all)
    prepared.output_displacements.assign(call.receive_displacements.begin(), call.receive_displacements.end());
}

/// Finds out who names the algorithm, and which; null: nobody does. What the environment names is signed as it stands
/// there: ranks whose environments differ are told so at once, and not only where the algorithms differ.
const Algorithm* name_algorithm(PreparedCall& prepared, const Layout& layout) {
  const Algorithm* const named = named_algorithm(prepared.problem, prepared.wish.algorithm, layout);
  if (named == nullptr) return named;
  const bool by_call = !prepared.wish.algorithm.empty();
  prepared.signature.named_by = by_call ? NamedBy::call : NamedBy::environment;
  prepared.signature.algorithm = by_call ? named->name : algorithm_in_environment(prepared.problem.collective);
  prepared.wish.algorithm = named->name;
  return named;
}

}  // namespace

std::size_t CallCache::Key::place() const {
  std::uint64_t hash = std::uint64_t{what} + type + op;
  hash = (hash ^ static_cast<std::uint64_t>(input_size)) * 0x9e3779b97f4a7c15U;
  hash = (hash ^ static_cast<std::uint64_t>(output_size) ^ static_cast<std::uint32_t>(root)) * 0x9e3779b97f4a7c15U;
  return static_cast<std::size_t>(hash >> 40) % entries;
}

const std::shared_ptr<const PreparedCall>& CallCache::look_up(const untyped::Call& call) {
  if (!is_kept(call)) return latest_ = prepare(call);
  const Key key = key_of(call, number_of(*call.options));
  Entry& entry = known_[key.place()];
  if (!entry.holds(key, call)) {
    entry.prepared = prepare(call);
    entry.key = key;
  }
  last_ = &entry;
  return entry.prepared;
}

bool CallCache::has_counts_of(const PreparedCall& prepared, const untyped::Call& call) {
  using std::ranges::equal;
  if (!equal(displacements_in(prepared), call.displacements)) return false;
  if (!counts_travel(call)) return equal(prepared.problem.counts, call.counts);
  const bool is_displaced_alike =
      call.collective != Collective::all_to_all || equal(prepared.output_displacements, call.receive_displacements);
  return is_displaced_alike && equal(prepared.send_counts, call.counts) &&
         equal(prepared.receive_counts, call.receive_counts);
}

std::uint8_t CallCache::number_of(const CollectiveOptions& options) {
  if (leaves_open(options)) return 0;
  const auto found = std::find_if(wishes_.begin(), wishes_.end(), [&](const KeptWish& kept) {
    return kept.algorithm == options.algorithm && kept.options.segments == options.segments &&
           kept.options.radix == options.radix && kept.options.grid == options.grid &&
           kept.options.planning == options.planning;
  });
  if (found != wishes_.end()) return static_cast<std::uint8_t>(found - wishes_.begin()) + 1;
  if (wishes_.size() == most_wishes) {
    // Numbers begin anew, and no call has an old one.
    wishes_.clear();
    forget_all();
  }
  wishes_.push_back({std::string(options.algorithm), options});
  wishes_.back().options.algorithm = {};
  return static_cast<std::uint8_t>(wishes_.size());
}

std::shared_ptr<const PreparedCall> CallCache::prepare(const untyped::Call& call) {
  PreparedCall prepared{.problem = problem_of(call, ranks_, rank_),
                        .wish = {call.options->algorithm, parameters_of(*call.options)},
                        .type = call.type,
                        .signature = {},
                        .recipe = nullptr,
                        .compiled = std::nullopt};
  prepared.signature = signature_of(prepared.problem, prepared.wish.parameters, call);
  check(prepared.problem);
  check(prepared.wish.parameters, prepared.problem.ranks);
  const Algorithm* const named = name_algorithm(prepared, recipes_.layout());
  prepared.signature.planning = planning_of(call);
  prepared.read_only = call.read_only;
  prepared.is_in_own_block = untyped::lies_in_own_block(call, rank_);
  displace(prepared, call);
  if (call.by_counts && counts_travel(call)) keep_counts(prepared, call);
  if (call.by_counts && call.collective == Collective::all_to_all) {
    const bool own_suffice = named != nullptr ? named->own_blocks_suffice : ranks_ > most_ranks_told_all;
    prepared.exchange = own_suffice ? Exchange::count_of_pair : Exchange::counts_of_each;
  }
  if (!call.by_counts || !counts_travel(call)) {
    prepared.recipe = recipes_.find(prepared.problem, prepared.wish, call.type.size);
    if (prepared.signature.algorithm.empty()) prepared.signature.algorithm = prepared.recipe->choice.algorithm->name;
    if (prepared.signature.planning != Planning::estimate) {
      measure(prepared, prepared.signature.planning);
    } else if (!rounds(call, ranks_)) {
      remember(prepared);
    }
  }
  return finished(std::move(prepared));
}

/// What the environment alone asks for leaves the bits of a program as they are.
Planning CallCache::planning_of(const untyped::Call& call) const {
  if (call.options->planning != Planning::inherited) return call.options->planning;
  if (set_ != Planning::inherited) return set_;
  return rounds(call, ranks_) ? Planning::estimate : here_.planning;
}

/// Whether nobody names an algorithm for the call, which is one that trials are made of.
bool CallCache::is_open(const PreparedCall& prepared) const {
  return prepared.recipe->by.empty() && ranks_ > 1 && prepared.problem.counts.empty();
}

/// Has the call's algorithm found by trying, where nobody names it. The signature stays that of the
/// estimate, so that ranks which have heard the end of a trial and ranks which have not sign the same.
void CallCache::measure(PreparedCall& prepared, Planning planning) {
  if (!is_open(prepared) || measurings_.is_full()) return;
  const Problem& problem = prepared.problem;
  prepared.measured = measurings_.find(prepared, planning, here_.place, [&] {
    return recipes_.contenders(problem, prepared.wish.parameters, prepared.type.size, planning);
  });
  if (prepared.measured == nullptr) return;
  const Trial& trial = prepared.measured->trial;
  if (trial.winner()) {
    prepared.recipe = recipes_.by(trial.contenders()[*trial.winner()], problem, prepared.type.size);
    return;
  }
  PreparedCall alone = prepared;
  for (const Choice& choice : trial.contenders()) {
    alone.recipe = recipes_.by(choice, problem, prepared.type.size);
    prepared.contenders.push_back(finished(PreparedCall(alone)));
  }
}

/// An estimate goes by what a trial has found for the call in an earlier run, as far as all ranks know of it. Not where
/// that would change the bits of a program.
void CallCache::remember(PreparedCall& prepared) {
  if (!is_open(prepared) || here_.winners->list.empty()) return;
  const std::string call = Measurings::words_of(prepared, here_.place);
  const Choice* const winner = here_.winners->find(call, prepared.problem, recipes_.layout());
  if (winner == nullptr) return;
  prepared.recipe = recipes_.by(*winner, prepared.problem, prepared.type.size);
  prepared.signature.algorithm = winner->algorithm->name;
  prepared.measured = std::make_shared<Measured>(Measured{Trial({.all = {*winner}}), call, found_earlier(*winner)});
  recipes_.tell(call + "\n" + prepared.measured->told + "\n");
}

std::shared_ptr<const PreparedCall> CallCache::with_counts(const std::shared_ptr<const PreparedCall>& known,
                                                           std::vector<std::int64_t> counts) {
  Counted& counted = counted_[hash_of(std::span<const std::int64_t>(counts)) % most_counted];
  if (counted.known == known && counted.prepared->problem.counts == counts) return counted.prepared;
  PreparedCall prepared = *known;
  prepared.problem.counts = std::move(counts);
  if (known->exchange == Exchange::count_of_pair) prepared.problem.known_to = rank_;
  prepared.recipe = recipes_.find(prepared.problem, prepared.wish, prepared.type.size);
  counted = {known, finished(std::move(prepared))};
  return counted.prepared;
}

const std::shared_ptr<const PreparedCall>& CallCache::exchange(Exchange what) {
  std::shared_ptr<const PreparedCall>& known = exchanges_[static_cast<std::size_t>(what)];
  if (known != nullptr) return known;
  Problem problem{.collective = Collective::all_gather, .ranks = ranks_, .count = 1};
  if (what == Exchange::counts_of_each) problem.count = 2 * ranks_;
  if (what == Exchange::count_of_pair) problem.collective = Collective::all_to_all;
  if (what == Exchange::verdict) problem = {.collective = Collective::barrier, .ranks = ranks_};
  if (what == Exchange::slowest)
    problem = {.collective = Collective::all_reduce, .ranks = ranks_, .count = Trial::most_calls};
  PreparedCall prepared{.problem = std::move(problem),
                        .wish = {},
                        .type = detail::datatype_of<std::int64_t>(),
                        .signature = {},
                        .recipe = nullptr,
                        .compiled = std::nullopt};
  prepared.recipe = recipes_.cheapest(prepared.problem, prepared.type.size);
  return known = finished(std::move(prepared));
}

CompiledProgram CallCache::compiled(const PreparedCall& prepared) const {
  const Program& program = prepared.recipe->program;
  if (prepared.read_only) return CompiledProgram(writing_elsewhere(program, Buffer::output));
  const bool is_as_recorded =
      prepared.input_displacements.empty() && prepared.output_displacements.empty() && !prepared.is_in_own_block;
  if (is_as_recorded) return CompiledProgram(program);
  Program moved = program;
  const auto move = [&](Buffer buffer, const Blocks& blocks, const std::vector<std::int64_t>& displacements) {
    // Elsewhere than at the root there are no blocks.
    if (displacements.size() == static_cast<std::size_t>(blocks.size()))
      moved = displaced(moved, buffer, blocks, displacements);
  };
  move(Buffer::input, input_blocks(prepared.problem, rank_), prepared.input_displacements);
  move(Buffer::output, output_blocks(prepared.problem, rank_), prepared.output_displacements);
  if (prepared.is_in_own_block) moved = within_own_block(moved, inner_buffer(prepared), own_block(prepared, rank_));
  return CompiledProgram(moved);
}

std::shared_ptr<const PreparedCall> CallCache::finished(PreparedCall&& prepared) {
  if (prepared.recipe) prepared.compiled.emplace(compiled(prepared));
  const auto brief = prepared.compiled ? brief_elements(*prepared.compiled) : std::nullopt;
  prepared.brief_bytes = brief ? *brief * prepared.type.size : -1;
  prepared.signature.seal();
  return std::make_shared<const PreparedCall>(std::move(prepared));
}

}  // namespace tutti::runtime

/// @file
/// Scan and exclusive scan.

#include "algorithms/table.hpp"
#include "cost/forms/forms.hpp"

namespace tutti {
namespace {

using namespace algorithms;

Terms chain(const Problem& problem) { return reducing(messages(problem.ranks - 1, count(problem))); }

Terms chain_pipelined(const Problem& problem, const Parameters& parameters) {
  return reducing(pipelined_chain(problem, parameters));
}

// The last rank combines nothing, so that one segment less is combined one after the other than is sent; the last ones
// are the short ones.
Terms exclusive_chain_pipelined(const Problem& problem, const Parameters& parameters) {
  Terms terms = pipelined_chain(problem, parameters);
  const int segments = parameters.segments_for(problem.count);
  if (problem.ranks > 2) terms.combined = terms.elements - static_cast<double>(problem.count / segments);
  return terms;
}

// Neither the first rank nor the last combines.
Terms exclusive_chain(const Problem& problem) {
  Terms terms = messages(problem.ranks - 1, count(problem));
  terms.combined = std::max(0, problem.ranks - 2) * count(problem);
  return terms;
}

// Combinations of m elements in the slowest rank of the round across bit 2^k, which is another rank in another round
// unless p is a power of two: then the sum over rounds is no more than an upper bound. A rank with the bit combines
// what it receives with its result, and with its subcube's total, too, where a later round needs that and it is not the
// result itself. The first such rank is 2^k, for k > 0: it does if 2^k + 2^(k+1) < p.
int combinations(int p, int bit) { return bit > 1 && 3 * static_cast<std::int64_t>(bit) < p ? 2 : 1; }

// Without its own contribution the first result of rank 2^k is what it receives: rank 2^k + 1 is the first that
// combines twice. Once, where a rank's result or total is needed.
int exclusive_combinations(int p, int bit) {
  if (bit == 1) return p > 2 ? 1 : 0;
  if (3 * static_cast<std::int64_t>(bit) + 1 < p) return 2;
  return bit + 1 < p ? 1 : 0;
}

template <int (*combinations_of)(int p, int bit)>
Terms doubling(const Problem& problem) {
  Terms terms = messages(ceil_log2(problem.ranks), count(problem));
  for (int bit = 1; bit < problem.ranks; bit *= 2)
    terms.combined += combinations_of(problem.ranks, bit) * count(problem);
  return terms;
}

Terms dissemination(const Problem& problem) { return reducing(messages(ceil_log2(problem.ranks), count(problem))); }

// The last rank combines in each round but the first, and in the second round waits for a rank that has combined before
// it sends, if p > 3.
Terms doubling_123(const Problem& problem) {
  const double rounds = claimed_rounds(exclusive_scan_123_doubling, problem);
  Terms terms = messages(rounds, count(problem));
  terms.combined = std::max(0.0, rounds - (problem.ranks > 3 ? 0 : 1)) * count(problem);
  return terms;
}

// Places of the tree that halves are shared out among at its highest bit.
int halves(const Problem& problem) { return std::max(1, floor_power_of_two(problem.ranks) / 2); }

// Up and down each of the lower bits, once across the highest one. Where ranks share places, these begin one message
// later, and all places but the first have something to tell in the end. Sums: one on the way up, and on the way down
// that of the rank and of the one across; where contributions enter results, these, and those of ranks that share.
Terms by_halving(const Problem& problem) {
  if (problem.ranks == 1) return {};
  const Terms sweep = halving(problem.count, halves(problem));
  const int shared = problem.ranks - floor_power_of_two(problem.ranks);
  Terms terms = sweep + sweep + messages(1, largest_run(problem.count, halves(problem), 1));
  terms.combined = 3 * sweep.elements;
  if (problem.collective == Collective::scan) terms.combined += count(problem);
  if (shared > 0) terms.combined += 2 * count(problem);
  return terms + messages(std::min(shared, 2), count(problem));
}

// A rank combines twice in a round at most; two ranks have no inner node.
template <const Algorithm& algorithm>
Terms two_tree(const Problem& problem, const Parameters& parameters) {
  const std::int64_t segments = segments_of(problem, parameters);
  Terms terms = messages(claimed_rounds(algorithm, problem, parameters),
                         static_cast<double>(ceil_divide(problem.count, segments)));
  const int alone = problem.collective == Collective::scan ? 1 : 0;
  terms.combined = (problem.ranks > 2 ? 2 : alone) * terms.elements;
  return terms;
}

const Condition equal_halves{"max(1, 2^(floor(log2 p) - 1)) divides m",
                             [](const Problem& problem) { return problem.count % halves(problem) == 0; }};

constexpr std::string_view halving_formula =
    "(2 log2 n - 1) ts + 2 tw m (1 - 1/n) + min(2, e)(ts + tw m) + tc m (4 - 6/n + 2 [e > 0]), n = 2^floor(log2 p), "
    "e = p - n";
constexpr std::string_view exclusive_halving_formula =
    "(2 log2 n - 1) ts + 2 tw m (1 - 1/n) + min(2, e)(ts + tw m) + tc m (3 - 6/n + 2 [e > 0]), n = 2^floor(log2 p), "
    "e = p - n";

constexpr std::string_view two_tree_formula =
    "(2 (S + 2 ceil(log2 p) - c) - 1)(ts + (tw + 2 tc) m/S), S segments, c = 1, 3, 2, 2 for p = 0, 1, 2, 3 mod 4; "
    "p = 3 mod 4: one round less, two if S is even; p = 3: 1 + floor(S/2) less if S > 1; p = 2: S (ts + (tw + tc) m/S)";

constexpr std::string_view scan_formula = "ceil(log2 p)(ts + tw m + tc m) + tc m #{k > 0 : 3 2^k < p}";
constexpr std::string_view exclusive_formula =
    "ceil(log2 p)(ts + tw m) + tc m ([p > 2] + #{k > 0 : 2^k + 1 < p} + #{k > 0 : 3 2^k + 1 < p})";

}  // namespace

std::vector<ClosedForm> scan_forms() {
  using enum Switching;
  return {
      {&scan_chain, "full", alpha_beta, "(p - 1)(ts + tw m + tc m)", chain},
      {&scan_chain_pipelined, "full", alpha_beta, "(p + S - 2)(ts + (tw + tc) m/S), S segments", chain_pipelined},
      ClosedForm{&scan_recursive_doubling, "full", alpha_beta, scan_formula, doubling<combinations>}.exact_combining_if(
          power_of_two),
      {&scan_dissemination, "full", alpha_beta, "ceil(log2 p)(ts + tw m + tc m)", dissemination},
      ClosedForm{&scan_halving, "full", alpha_beta, halving_formula, by_halving}
          .exact_if(equal_halves)
          .exact_combining_if(two_ranks),
      ClosedForm{&scan_two_tree, "full", alpha_beta, two_tree_formula, two_tree<scan_two_tree>}
          .exact_if(equal_segments)
          .exact_combining_if(two_ranks),
      {&scan_flat, "full", alpha_beta, "(p - 1)(ts + tw m + tc m)", chain},
      ClosedForm{&scan_leaders, "full", alpha_beta, scan_formula, doubling<combinations>}.exact_combining_if(
          power_of_two),
      {&scan_chain, "linear", store_and_forward, "(p - 1)(ts + tw m + tc m)", chain},
      {&scan_chain, "ring", store_and_forward, "(p - 1)(ts + tw m + tc m)", chain},
      {&scan_recursive_doubling, "hypercube", store_and_forward, scan_formula, doubling<combinations>, grama},
      {&exclusive_scan_chain, "full", alpha_beta, "(p - 1)(ts + tw m) + max(0, p - 2) tc m", exclusive_chain},
      ClosedForm{&exclusive_scan_chain_pipelined, "full", alpha_beta,
                 "(p + S - 2)(ts + tw m/S) + [p > 2](p + S - 3) tc m/S, S segments", exclusive_chain_pipelined}
          .exact_combining_if(equal_segments),
      ClosedForm{&exclusive_scan_recursive_doubling, "full", alpha_beta, exclusive_formula,
                 doubling<exclusive_combinations>}
          .exact_combining_if(power_of_two),
      {&exclusive_scan_123_doubling, "full", alpha_beta,
       "ceil(log2(4 (p - 1)/3))(ts + tw m + tc m), for p < 4 tc m less", doubling_123},
      ClosedForm{&exclusive_scan_halving, "full", alpha_beta, exclusive_halving_formula, by_halving}
          .exact_if(equal_halves)
          .exact_combining_if(two_ranks),
      ClosedForm{&exclusive_scan_two_tree, "full", alpha_beta, two_tree_formula, two_tree<exclusive_scan_two_tree>}
          .exact_if(equal_segments)
          .exact_combining_if(two_ranks),
      {&exclusive_scan_flat, "full", alpha_beta, "(p - 1)(ts + tw m) + max(0, p - 2) tc m", exclusive_chain},
      ClosedForm{&exclusive_scan_leaders, "full", alpha_beta, exclusive_formula, doubling<exclusive_combinations>}
          .exact_combining_if(power_of_two),
      {&exclusive_scan_chain, "linear", store_and_forward, "(p - 1)(ts + tw m) + max(0, p - 2) tc m", exclusive_chain},
      {&exclusive_scan_chain, "ring", store_and_forward, "(p - 1)(ts + tw m) + max(0, p - 2) tc m", exclusive_chain},
      {&exclusive_scan_recursive_doubling, "hypercube", store_and_forward, exclusive_formula,
       doubling<exclusive_combinations>, grama},
  };
}

}  // namespace tutti

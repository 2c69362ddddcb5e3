/// @file
/// Algorithm trials: shapes of calls whose algorithm is found by timing several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agreement/signature.hpp"
#include "plan/plan_cache.hpp"
#include "plan/trial.hpp"
#include "plan/wisdom.hpp"
#include "schedule/rewrite/compiled_program.hpp"
#include "tutti/untyped.hpp"

namespace tutti::runtime {

/// Exchange before the elements, if ranks do not know one another's counts.
enum class PreliminaryExchange : std::uint8_t {
  size_of_each,    ///< every rank gives all others one count
  counts_of_each,  ///< every rank gives all others its 2p
  verdict,         ///< ranks that have found nothing wrong wait for one another
  slowest,         ///< the largest that any rank gives: Trial::Words
};
inline constexpr std::size_t exchanges = 4;

struct AlgorithmTrial;

/// A call's shape, checked: what it is to all ranks, and what this rank does.
struct PreparedCall {
  Problem problem;
  ChoiceRequest request;  ///< request of the call, and of the environment: names of the catalogue
  detail::Datatype type;
  Signature signature;
  std::shared_ptr<const CachedPlan> plan;  ///< null where counts must travel first, by `exchange`
  PreliminaryExchange exchange = PreliminaryExchange::size_of_each;
  bool counts_travel = false;    ///< ranks must tell one another their counts first
  bool is_in_own_block = false;  ///< see lies_in_own_block()
  bool read_only = false;        ///< the output may not be written: see with_read_only()
  /// Counts that this rank alone knows, where counts travel or the root has them: what it sends to each rank, and then
  /// what it receives from each.
  std::vector<std::int64_t> own_counts;
  std::vector<std::int64_t> input_displacements;   ///< displacements of the input's blocks; empty: one after the other
  std::vector<std::int64_t> output_displacements;  ///< displacements of the output's blocks; empty: one after the other
  std::optional<CompiledProgram> compiled;         ///< the plan's program, compiled
  std::shared_ptr<AlgorithmTrial> algorithm_trial;  ///< the trial that finds, or has found, the algorithm; null: none
  /// While it is being found: the same call by each of the contenders.
  std::vector<std::shared_ptr<const PreparedCall>> contenders;
  std::int64_t fast_path_bytes = -1;  ///< the compiled program's fast_path_elements() in bytes; -1: none
};

/// Planning of a communicator: the way, the place of its ranks ("threads on 2 cores"), and the winners of earlier
/// trials that they know.
struct PlanningHere {
  Planning planning = Planning::estimate;
  std::string place;
  std::shared_ptr<const KnownWinners> winners = std::make_shared<const KnownWinners>();
};

/// Trial of algorithms for one shape of calls, on one rank.
struct AlgorithmTrial {
  Trial trial;
  std::string call;       ///< in words, by which its winner is kept
  std::string told = {};  ///< report of the trial's end
};

/// Whether the operator of a reduction rounds, so that the order of combination shows in the result: floating-point
/// sums and products of more than two ranks, and what the caller defines.
bool rounds(const untyped::Call& call, int ranks);

/// Trials of one rank of a communicator, by shape of the calls that are to be timed.
class AlgorithmTrials {
 public:
  /// For calls that ask for `planning`; null where there is nothing to try. All ranks that make the same calls come to
  /// the same answer. `contenders` is called where the shape is new.
  template <typename MakeContenders>
  std::shared_ptr<AlgorithmTrial> find(const PreparedCall& call, Planning planning, const std::string& place,
                                       const MakeContenders& contenders) {
    std::shared_ptr<AlgorithmTrial>& found = shapes_[key_of(call, planning)];
    if (found == nullptr)
      found = std::make_shared<AlgorithmTrial>(AlgorithmTrial{Trial(contenders()), words_of(call, place)});
    return found->trial.contenders().size() > 1 ? found : nullptr;
  }
  /// The name of the call, by which its winner is kept.
  static std::string words_of(const PreparedCall& call, const std::string& place);
  /// Whether a further shape would take too much memory.
  bool is_full() const { return shapes_.size() >= most; }

 private:
  static constexpr std::size_t most = 4096;

  static std::vector<std::uint64_t> key_of(const PreparedCall& call, Planning planning);

  std::map<std::vector<std::uint64_t>, std::shared_ptr<AlgorithmTrial>> shapes_;
};

/// The sentence that says so of a winner of earlier runs.
std::string found_earlier(const Choice& winner);

/// Ends a trial on the rank that keeps its winner: says what was found, and keeps it for later runs.
void keep_winner(AlgorithmTrial& algorithm_trial, bool is_keeper);

}  // namespace tutti::runtime

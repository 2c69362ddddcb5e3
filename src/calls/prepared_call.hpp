/// @file
/// All that can be known of a collective call before it meets its buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "agreement/signature.hpp"
#include "plan/recipes.hpp"
#include "schedule/compiled_program.hpp"
#include "tutti/untyped.hpp"

namespace tutti::runtime {

/// What goes before the elements where ranks do not know one another's counts.
enum class Exchange : std::uint8_t {
  size_of_each,    ///< every rank gives all others one count
  counts_of_each,  ///< every rank gives all others its 2p
  verdict,         ///< ranks that have found nothing wrong wait for one another
  slowest,         ///< the largest that any rank gives: Trial::Words
};
inline constexpr std::size_t exchanges = 4;

struct Measured;

/// A call's shape, checked: what it is to all ranks, and what this rank does.
struct PreparedCall {
  Problem problem;
  Wish wish;  ///< what the call asks for, and the environment: names of the catalogue
  detail::Datatype type;
  Signature signature;
  std::shared_ptr<const Recipe> recipe;  ///< null where counts must travel first, by `exchange`
  Exchange exchange = Exchange::size_of_each;
  bool counts_travel = false;    ///< ranks must tell one another their counts first
  bool is_in_own_block = false;  ///< see lies_in_own_block()
  bool read_only = false;        ///< the output may not be written: see writing_elsewhere()
  /// Where counts must travel: this rank's, as the call gives them; of an all-to-all what it sends to each rank, and
  /// then what it receives from each.
  std::vector<std::int64_t> own_counts;
  std::vector<std::int64_t> input_displacements;   ///< of the blocks; empty: one after the other
  std::vector<std::int64_t> output_displacements;  ///< the same
  std::optional<CompiledProgram> compiled;         ///< of the recipe
  std::shared_ptr<Measured> measured;              ///< the trial that finds, or has found, the algorithm; null: none
  /// While it is being found: the same call by each of the contenders.
  std::vector<std::shared_ptr<const PreparedCall>> contenders;
  std::int64_t brief_bytes = -1;  ///< the compiled program's brief_elements() in bytes; -1: it is not brief
};

}  // namespace tutti::runtime

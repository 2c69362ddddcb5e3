/// @file
/// Short names for what messages carry and what ranks hold.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "schedule/model/problem.hpp"
#include "verify/expressions.hpp"
#include "verify/memory.hpp"

namespace tutti::draw {

/// A run of elements: `count` of the inputs' elements from `offset` on, combined over these ranks.
struct SymbolicContent {
  std::vector<int> ranks;  ///< ascending
  std::int64_t offset = 0;
  std::int64_t count = 0;
};

/// The contents of symbolic pieces.
std::vector<SymbolicContent> contents_of(std::span<const proof::Piece> pieces, const proof::Expressions& expressions);

/// Names contents by blocks; see `frames_of` for what names look like.
///
/// A whole message has no blocks of its own: it is cut where any of the contents seen begins or ends.
class ContentNames {
 public:
  explicit ContentNames(const Problem& problem);

  /// Adds the places where contents begin and end. To be called for all that is named later, before any of it.
  void add_cuts_of(std::span<const SymbolicContent> contents);
  /// Returns the contents in lines: at most `most_lines`, each with one set of ranks, or of parts, or both, as
  /// text_of_set() shortens them.
  std::vector<std::string> lines_for(std::span<const SymbolicContent> contents) const;
  /// Returns the key to the names, one sentence.
  std::string legend() const;

  static constexpr std::size_t most_lines = 4;

 private:
  using Set = std::vector<int>;  // ascending, each once

  bool whole() const { return cuts_.size() <= 2; }
  Set parts_of(const SymbolicContent& content) const;
  std::string line(const Set& ranks, const Set& parts) const;

  const Problem& problem_;
  bool cut_;                        // whether the message is cut by what is seen
  std::vector<std::int64_t> cuts_;  // first elements of all parts, and the end; ascending, each once
};

/// "0..3,6": runs of three and more are shortened. A long set ends with an ellipsis and its size: "0,2,4,… (16)".
/// Numbers ascend, each once.
std::string text_of_set(const std::vector<int>& set);

}  // namespace tutti::draw

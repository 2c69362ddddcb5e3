/// @file
/// What one rank has recorded so far, found again by shape.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "plan/choice.hpp"

namespace tutti {

/// An algorithm chosen for a problem, and what one rank does in it.
struct Recipe {
  const Algorithm* algorithm = nullptr;
  Program program;
};

/// The recipes of one rank. Choosing and recording happen once for each shape; a call of a known shape is one look-up.
/// For one thread.
class Recipes {
 public:
  Recipes(int rank, std::unique_ptr<const CostModel> model) : rank_(rank), model_(std::move(model)) {}

  /// The recipe for `problem` by the algorithm of that name; empty: the one that `algorithm_for` chooses.
  /// The choice does not depend on `problem.in_place`, in which ranks may differ. Throws `Error` where the problem is
  /// not well formed or the algorithm does not fit.
  std::shared_ptr<const Recipe> find(const Problem& problem, std::string_view algorithm, std::int64_t element_size);
  /// What the algorithm that find() would take is predicted to take, in seconds.
  double seconds(const Problem& problem, std::string_view algorithm, std::int64_t element_size);

 private:
  struct Key {
    Problem problem;
    std::string algorithm;
    std::int64_t element_size;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  std::shared_ptr<const Recipe> make(const Key& key) const;

  int rank_;
  std::unique_ptr<const CostModel> model_;
  std::unordered_map<Key, std::shared_ptr<const Recipe>, Hash> recipes_;
};

}  // namespace tutti

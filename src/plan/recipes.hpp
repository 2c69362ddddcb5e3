/// @file
/// What one rank has recorded so far, found again by shape.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "plan/rules.hpp"
#include "plan/trial.hpp"

namespace tutti {

/// What was chosen for a problem, and what one rank does in it.
struct Recipe {
  Choice choice;
  Program program;
  std::string by = {};  ///< who has named the algorithm; empty: the model chose
};

/// The recipes of one rank. Choosing and recording happen once for each shape; a call of a known shape is one look-up.
/// A program that meets ever new shapes makes the recipes forget those that were not used for longest.
/// For one thread.
class Recipes {
 public:
  /// What all recipes and their shapes together take at most, unless the latest alone takes more.
  static constexpr std::size_t most_bytes = std::size_t{4} << 20;

  /// Takes the explanation of each new recipe of a call, as text_of(Explanation) has it.
  using Tell = std::function<void(const std::string& explanation)>;

  /// Of rank `rank` among ranks that are where `layout` says, and for which `model` knows the costs; `rules` are the
  /// administrator's, the same on every rank.
  Recipes(int rank, Layout layout, std::unique_ptr<const CostModel> model, Tell tell = {},
          std::shared_ptr<const Rules> rules = std::make_shared<const Rules>())
      : rank_(rank),
        layout_(std::move(layout)),
        model_(std::move(model)),
        tell_(std::move(tell)),
        rules_(std::move(rules)) {}

  /// The recipe for `problem` that decide() chooses. The choice does not depend on `problem.in_place`, in which
  /// ranks may differ. Throws `Error` where the problem is not well formed or what is wished for does not fit.
  std::shared_ptr<const Recipe> find(const Problem& problem, const Wish& wish, std::int64_t element_size);
  /// The recipe by the cheapest algorithm, whatever the environment names: for what the library sends by itself.
  std::shared_ptr<const Recipe> cheapest(const Problem& problem, std::int64_t element_size);
  /// The recipe by that choice, which fits.
  std::shared_ptr<const Recipe> by(const Choice& choice, const Problem& problem, std::int64_t element_size);
  /// What calls of the shape may be made by to find the fastest: see contenders_for().
  Contenders contenders(const Problem& problem, const Parameters& parameters, std::int64_t element_size,
                        Planning planning) const {
    return contenders_for(problem, parameters, element_size, *model_, planning);
  }
  /// Tells whoever is told of new recipes.
  void tell(const std::string& text) const {
    if (tell_) tell_(text);
  }
  /// What the choice of find() is predicted to take, in seconds.
  double seconds(const Problem& problem, const Wish& wish, std::int64_t element_size);

  /// Why find() chooses as it does: a heading, a table of all algorithms that fit, and a sentence. Takes as long as
  /// explain() does.
  std::string explanation(const Problem& problem, const Wish& wish, std::int64_t element_size) const;

  /// Where the ranks are.
  const Layout& layout() const { return layout_; }
  /// What is kept now.
  std::size_t bytes() const { return bytes_; }

 private:
  /// A call's shape that is looked for, without a copy of it.
  struct CallShape {
    const Problem& problem;
    std::string_view algorithm;  // as it is wished for
    const Parameters& parameters;
    std::int64_t element_size;
  };
  struct Key {
    Problem problem;
    std::string algorithm;
    Parameters parameters;
    std::int64_t element_size;

    CallShape shape() const { return {problem, algorithm, parameters, element_size}; }
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(const CallShape& shape) const;
    std::size_t operator()(const Key& key) const { return (*this)(key.shape()); }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(const Key& a, const Key& b) const { return (*this)(a.shape(), b); }
    bool operator()(const CallShape& a, const Key& key) const {
      const CallShape b = key.shape();
      return a.element_size == b.element_size && a.algorithm == b.algorithm && a.parameters == b.parameters &&
             a.problem == b.problem;
    }
  };
  using Uses = std::list<const Key*>;
  struct Entry {
    std::shared_ptr<const Recipe> recipe;
    std::size_t bytes = 0;
    Uses::iterator use;
  };

  std::shared_ptr<const Recipe> find_or_make(const Problem& problem, const Wish& wish, std::int64_t element_size,
                                             bool is_of_call);
  std::shared_ptr<const Recipe> make(const Problem& problem, const Wish& wish, std::int64_t element_size) const;
  static std::size_t bytes_of(const Problem& problem, const Recipe& recipe);
  void forget_oldest();

  int rank_;
  Layout layout_;
  std::unique_ptr<const CostModel> model_;
  Tell tell_;
  std::shared_ptr<const Rules> rules_;
  std::unordered_map<Key, Entry, Hash, Equal> recipes_;
  Uses uses_;  // the latest first
  std::size_t bytes_ = 0;
};

}  // namespace tutti

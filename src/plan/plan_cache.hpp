/// @file
/// Plan cache: the plans that one rank has recorded so far, found again by shape.
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

/// Choice for a problem, and the program of one rank in it.
struct CachedPlan {
  Choice choice;
  Program program;
  std::string by = {};  ///< source of the algorithm's name; empty: the model chose
};

/// Cache of one rank. Choosing and recording happen once for each shape; a call of a known shape is one look-up.
/// A program that meets ever new shapes makes the cache forget those that were not used for longest.
/// For one thread.
class PlanCache {
 public:
  /// Most bytes of all plans and their shapes together, unless the latest alone takes more.
  static constexpr std::size_t most_bytes = std::size_t{4} << 20;

  /// Takes the explanation of each new plan of a call, as text_of(Explanation) has it.
  using Tell = std::function<void(const std::string& explanation)>;

  /// Takes rank `rank` of the ranks in `layout`, whose costs `model` knows; `rules` are the administrator's, equal on
  /// every rank.
  PlanCache(int rank, Layout layout, std::unique_ptr<const CostModel> model, Tell tell = {},
            std::shared_ptr<const Rules> rules = std::make_shared<const Rules>())
      : rank_(rank),
        layout_(std::move(layout)),
        model_(std::move(model)),
        tell_(std::move(tell)),
        rules_(std::move(rules)) {}

  /// The plan for `problem` that decide() chooses. The choice does not depend on `problem.in_place`, in which
  /// ranks may differ. Throws `Error` where the problem is not well formed or what is wished for does not fit.
  std::shared_ptr<const CachedPlan> find(const Problem& problem, const ChoiceRequest& request,
                                         std::int64_t element_size);
  /// The plan by the cheapest algorithm, whatever the environment names: for what the library sends by itself.
  std::shared_ptr<const CachedPlan> cheapest(const Problem& problem, std::int64_t element_size);
  /// The plan by that choice, which fits.
  std::shared_ptr<const CachedPlan> by(const Choice& choice, const Problem& problem, std::int64_t element_size);
  /// Returns the choices by which calls of the shape may be made to find the fastest: see contenders_for().
  Contenders contenders(const Problem& problem, const Parameters& parameters, std::int64_t element_size,
                        Planning planning) const {
    return contenders_for(problem, parameters, element_size, *model_, planning);
  }
  /// Tells the listener for new plans `text`.
  void tell(const std::string& text) const {
    if (tell_) tell_(text);
  }
  /// Returns the predicted seconds of the choice of find().
  double seconds(const Problem& problem, const ChoiceRequest& request, std::int64_t element_size);

  /// Why find() chooses as it does: a heading, a table of all algorithms that fit, and a sentence. Takes as long as
  /// explain() does.
  std::string explanation(const Problem& problem, const ChoiceRequest& request, std::int64_t element_size) const;

  /// Returns the places of the ranks.
  const Layout& layout() const { return layout_; }
  /// Returns the bytes that are kept now.
  std::size_t bytes() const { return bytes_; }

 private:
  /// A call's shape that is looked for, without a copy of it.
  struct CallShape {
    const Problem& problem;
    std::string_view algorithm;  // name in the request
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
    std::shared_ptr<const CachedPlan> plan;
    std::size_t bytes = 0;
    Uses::iterator use;
  };

  std::shared_ptr<const CachedPlan> find_or_make(const Problem& problem, const ChoiceRequest& request,
                                                 std::int64_t element_size, bool is_of_call);
  std::shared_ptr<const CachedPlan> make(const Problem& problem, const ChoiceRequest& request,
                                         std::int64_t element_size) const;
  static std::size_t bytes_of(const Problem& problem, const CachedPlan& plan);
  void forget_oldest();

  int rank_;
  Layout layout_;
  std::unique_ptr<const CostModel> model_;
  Tell tell_;
  std::shared_ptr<const Rules> rules_;
  std::unordered_map<Key, Entry, Hash, Equal> plans_;
  Uses uses_;  // the latest first
  std::size_t bytes_ = 0;
};

}  // namespace tutti

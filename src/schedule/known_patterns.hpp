/// @file
/// What texts of ranks that are alike say for rank 0, found once for all ranks.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "schedule/looks.hpp"
#include "schedule/parameters.hpp"
#include "schedule/problem.hpp"
#include "schedule/schedule.hpp"

namespace tutti {

struct AlikeText;

/// While it lives, this thread keeps the patterns from which programs of alike ranks are made: where many choices are
/// priced, a rank after the other, the same stages come again and again. Texts must neither change meanwhile nor go.
/// One that is made while another lives has that one's patterns.
class KnownPatterns {
 public:
  KnownPatterns();
  ~KnownPatterns();
  KnownPatterns(const KnownPatterns&) = delete;
  KnownPatterns& operator=(const KnownPatterns&) = delete;

  /// The pattern of the text for the problem, which has one element in every block: kept once `make()` has made it;
  /// null where none are kept. Where it was kept, what the text looked at counts as looked at again.
  template <typename Make>
  static const Program* of(const AlikeText& text, const Problem& unit, const Parameters& parameters, Make&& make) {
    KnownPatterns* const known = outermost();
    if (known == nullptr) return nullptr;
    if (const Known* found = known->find(text, unit, parameters)) {
      looks() += found->looks;
      return &found->program;
    }
    const Looks before = looks();
    Program program = make();
    known->patterns_.push_back(
        std::make_unique<const Known>(&text, unit, parameters, looks() - before, std::move(program)));
    return &known->patterns_.back()->program;
  }

 private:
  struct Known {
    Known(const AlikeText* of, const Problem& problem, const Parameters& with, const Looks& looked, Program made)
        : text(of), unit(problem), parameters(with), looks(looked), program(std::move(made)) {}

    const AlikeText* text;
    Problem unit;
    Parameters parameters;
    Looks looks;  // how often the text looked
    Program program;
  };

  static KnownPatterns*& outermost();
  const Known* find(const AlikeText& text, const Problem& unit, const Parameters& parameters) const;

  bool is_outermost_;
  std::vector<std::unique_ptr<const Known>> patterns_;
};

}  // namespace tutti

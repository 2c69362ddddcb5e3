/// @file
/// The figures of the textbook: which algorithm on which network each one shows.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "schedule/model/choice.hpp"
#include "topology/families/families.hpp"

namespace tutti::textbook {

/// A picture of an algorithm's steps.
struct Figure {
  std::string_view name;               ///< its file's name, without the ending
  std::string_view caption;            ///< a noun phrase for what it shows
  std::vector<std::string_view> rows;  ///< the ids of the rows that it stands beside
  Choice choice;
  Problem problem = {};
  TopologyPtr topology;
};

/// All figures, in the order of the textbook's chapters.
std::span<const Figure> figures();

}  // namespace tutti::textbook

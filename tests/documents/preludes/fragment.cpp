// Surroundings of fragments of C++ on pages: a communicator, one value, and data.
#include <cstdio>
#include <optional>
#include <tutti/lab.hpp>
#include <tutti/tutti.hpp>
#include <vector>

namespace lab = tutti::lab;

void shown(tutti::Communicator& comm, const int mine, std::vector<double>& data) {
  static_cast<void>(mine);
  static_cast<void>(data);
  {
    // fragment
  }
}

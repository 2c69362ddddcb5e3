/// @file
/// A place for a trace, and what is in one.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "timeline/chrome_trace.hpp"
#include "timeline/timeline.hpp"

namespace tutti::test {

/// A folder of its own, and TUTTI_TRACE, for as long as a test lasts.
class Trace : public ::testing::Test {
 protected:
  Trace() : folder_(std::filesystem::temp_directory_path() / ("tutti_trace_" + std::to_string(getpid()))) {
    std::filesystem::create_directory(folder_);
    setenv("TUTTI_TRACE", file().c_str(), 1);
  }
  ~Trace() override {
    unsetenv("TUTTI_TRACE");
    std::filesystem::remove_all(folder_);
  }

  std::string file() const { return folder_ / "trace.json"; }
  std::string text() const {
    std::ifstream stream(file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  timeline::Timeline read() const { return timeline::timeline_from(text(), file()); }

  std::filesystem::path folder_;
};

inline std::map<timeline::SpanKind, int> kinds_of(const timeline::Lane& lane) {
  std::map<timeline::SpanKind, int> counts;
  for (const timeline::Span& span : lane) ++counts[span.kind];
  return counts;
}

}  // namespace tutti::test

/// @file
/// Report of a run: calls by kind and size, with algorithm, prediction and measured time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "tutti/communicator.hpp"

namespace tutti::torch_backend {

/// Report that TUTTI_TORCH_REPORT asks for: "1" a table on standard error by rank 0 of each group, another text a file of that name.
/// Counts nothing unless it is set.
class CallReport {
 public:
  using Duration = std::chrono::duration<double>;

  static bool is_asked_for();

  /// A call of `bytes` bytes that has taken this long from its beginning to its end.
  void add(std::string_view call, std::int64_t bytes, std::string_view algorithm, Duration predicted,
           Duration measured);
  /// Writes the table of a group of `size` ranks. Nothing where nothing was called.
  void write(int size) const;

 private:
  struct Calls {
    std::int64_t count = 0;
    Duration predicted = Duration(0);
    Duration least = Duration::max();
    Duration sum = Duration(0);
  };
  std::map<std::tuple<std::string, std::int64_t, std::string>, Calls> calls_;
};

}  // namespace tutti::torch_backend

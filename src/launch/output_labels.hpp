/// @file
/// Labels: the ranks' output, line by line behind the rank's number.
#pragma once

#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "launch/descriptor.hpp"

namespace tutti::launch {

/// Reads what the ranks print and passes it on with "[r] " before each line. Lines stay whole, also those of different
/// ranks, and each stream's lines in order; those of one rank's output and error too where both go to the same place,
/// such as a terminal. A last line without an end gets one; a line of more than `longest_line` bytes is cut. Where
/// nobody reads an output any more, the ranks find it closed, as if it were theirs; where it cannot be written
/// otherwise, what they print there is read and lost. Their other output goes on.
///
/// A thread of its own does so: the one that waits for the ranks must not wait for who reads their output.
class OutputLabels {
 public:
  static constexpr std::size_t longest_line = std::size_t{1} << 20;

  explicit OutputLabels(int ranks);
  OutputLabels(const OutputLabels&) = delete;
  OutputLabels& operator=(const OutputLabels&) = delete;
  ~OutputLabels();

  /// The descriptors that the rank prints to, until `begin`.
  int output_of(int rank) const { return writers_[2 * static_cast<std::size_t>(rank)]; }
  int error_of(int rank) const { return writers_[2 * static_cast<std::size_t>(rank) + 1]; }

  /// All ranks are started.
  void begin();
  /// All ranks have ended: returns when all that they printed is passed on, even if something that they left behind
  /// could still print. False if some could not be written.
  bool finish();

 private:
  struct Stream {
    Descriptor reader;
    int target;
    std::string label;
    std::string line;  // the beginning of a line whose end is to come
  };

  /// State of a descriptor to which streams are passed on.
  enum class Target : std::uint8_t { open, full, closed };

  void add_stream(int rank, int target);
  void work();
  void read(Stream& stream);
  void pass_on(Stream& stream, std::string_view text);
  void pass_on_rest(Stream& stream);
  void write(int target, std::string_view text);
  bool is_closed(const Stream& stream) const {
    return targets_[static_cast<std::size_t>(stream.target)] == Target::closed;
  }

  std::vector<Stream> streams_;
  std::vector<Descriptor> pipes_;  // the ranks' ends, until they have them
  std::vector<int> writers_;       // writers of rank r: output at 2 r, error at 2 r + 1
  Pipe stop_;
  std::array<Target, STDERR_FILENO + 1> targets_{};  // by number; the thread's, until it has ended
  std::thread thread_;
};

}  // namespace tutti::launch

/// @file
/// An open file that closes itself.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <optional>
#include <utility>

namespace tutti::launch {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }

  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  void reset() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

/// The two ends of a pipe; no program that is started inherits them.
struct Pipe {
  Descriptor reader;
  Descriptor writer;

  /// Throws `Error(unsupported)` where no descriptors are left.
  static Pipe make();
};

/// Lets this process open as many files as the system allows, and returns its limit until then; nothing where the
/// system does not say.
std::optional<rlimit> allow_many_descriptors();

/// Opens what is closed of the descriptors 0 to 2: before others are opened, or a rank's standard output could be its
/// segment.
void fill_standard_descriptors();

}  // namespace tutti::launch

/// @file
/// Code with which a call of MPI ends, if it has ended.
#pragma once

#include <cstdint>
#include <optional>

namespace tutti::interpose {

/// Code of a call that has ended; nothing while nobody has carried it out. As std::optional<int>, but one number: the
/// two parts of that are stored apart and loaded as one, and processors let such a load wait for all stores before it.
/// After a store to a line that another core holds this takes until the line has come: 36 of the 195 ns of an
/// MPI_Scatterv of 8 B between two processes (AMD EPYC).
class CallCode {
 public:
  constexpr CallCode() = default;
  constexpr CallCode(std::nullopt_t) {}                 // NOLINT: nothing is nothing
  constexpr CallCode(int code) : number_(code) {}       // NOLINT: a code is one
  constexpr CallCode(const std::optional<int>& code) {  // NOLINT: of functions that are not in a hurry
    if (code) number_ = *code;
  }

  constexpr explicit operator bool() const { return number_ != none; }
  /// The code; valid where there is one.
  constexpr int operator*() const { return static_cast<int>(number_); }

 private:
  static constexpr std::int64_t none = std::int64_t{1} << 32;  // no int

  std::int64_t number_ = none;
};

}  // namespace tutti::interpose

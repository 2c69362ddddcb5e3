/// @file
/// Signature of data in MPI: the basic types of its elements in order, as a digest of a few words.
///
/// MPI matches what one rank sends with what another one expects by these alone. Where elements lie says nothing: four
/// doubles in a row match a vector of four, or a structure of two pairs.
///
/// The digest of a row x1 ... xn is x1 b^(n-1) + ... + xn over the field of 2^61 - 1 elements. Together with b^n, the
/// digest of two rows after one another follows from theirs, so that a row n times takes O(log n) steps. Two rows that
/// differ have one digest by a chance of n / 2^61.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::interpose {

/// Plain bytes, which ranks tell one another.
struct SignatureDigest {
  std::uint64_t digest = 0;
  std::int64_t elements = -1;  ///< basic ones; -1: not known, which fits any
  char words[64] = {};         ///< "4 MPI_DOUBLE"

  bool is_known() const { return elements >= 0; }
  bool fits(const SignatureDigest& other) const {
    return !is_known() || !other.is_known() || (digest == other.digest && elements == other.elements);
  }
};

class TypeSignature {
 public:
  /// Signature of nothing.
  TypeSignature() = default;
  /// Signature of one element. Types of one `kind` match; `name` is for sentences.
  TypeSignature(std::string_view kind, std::string_view name);
  /// Signature of data that nobody can tell, as of MPI_PACKED: it fits any.
  static TypeSignature unknown();

  void append(const TypeSignature& next);
  /// Returns the signature of the row repeated `n` times, in O(log n) steps.
  TypeSignature times(std::int64_t n) const;

  bool is_known() const { return is_known_; }
  /// "4 MPI_DOUBLE", "1 MPI_INT, 1 MPI_DOUBLE, ... (hash 1f)".
  std::string words() const;
  SignatureDigest told() const;

 private:
  /// Elements of one name after another.
  struct Run {
    std::string name;
    std::int64_t count = 0;
  };
  static constexpr std::size_t most_runs = 2;

  void append_runs(const TypeSignature& next);

  std::uint64_t digest_ = 0;
  std::uint64_t scale_ = 1;  ///< b^n
  std::int64_t elements_ = 0;
  bool is_known_ = true;
  bool has_more_ = false;  ///< runs that are not kept
  std::vector<Run> runs_;  ///< the first ones
};

}  // namespace tutti::interpose

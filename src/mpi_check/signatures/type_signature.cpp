#include "mpi_check/signatures/type_signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/digest.hpp"

namespace tutti::interpose {
namespace {

constexpr std::uint64_t field = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t base = 0x0b7e151628aed2a6;  // element of the field, of large order in all likelihood

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide wide = static_cast<Wide>(a) * b;
  const std::uint64_t sum = static_cast<std::uint64_t>(wide & field) + static_cast<std::uint64_t>(wide >> 61);
  return sum >= field ? sum - field : sum;
}

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return (a + b) % field; }

}  // namespace

TypeSignature::TypeSignature(std::string_view kind, std::string_view name)
    : digest_(1 + digest_of(kind) % (field - 1)), scale_(base), elements_(1), runs_({{std::string(name), 1}}) {}

TypeSignature TypeSignature::unknown() {
  TypeSignature any;
  any.is_known_ = false;
  return any;
}

void TypeSignature::append(const TypeSignature& next) {
  digest_ = sum(product(digest_, next.scale_), next.digest_);
  scale_ = product(scale_, next.scale_);
  elements_ += next.elements_;
  is_known_ = is_known_ && next.is_known_;
  append_runs(next);
}

// Runs that are left out end what is kept: nothing is known to follow them.
void TypeSignature::append_runs(const TypeSignature& next) {
  if (has_more_) return;
  const std::vector<Run> more = next.runs_;  // `next` may be this one
  for (const Run& run : more) {
    if (!runs_.empty() && runs_.back().name == run.name) {
      runs_.back().count += run.count;
    } else if (runs_.size() < most_runs) {
      runs_.push_back(run);
    } else {
      has_more_ = true;
      return;
    }
  }
  has_more_ = next.has_more_;
}

// By the binary digits of n, the highest first.
TypeSignature TypeSignature::times(std::int64_t n) const {
  TypeSignature row;
  const auto times = static_cast<std::uint64_t>(std::max<std::int64_t>(n, 0));
  for (std::uint64_t bit = std::bit_floor(times); bit != 0; bit >>= 1) {
    row.append(TypeSignature(row));
    if ((times & bit) != 0) row.append(*this);
  }
  return row;
}

std::string TypeSignature::words() const {
  if (!is_known_) return "data of any type";
  if (elements_ == 0) return "nothing";
  std::string text;
  for (const Run& run : runs_) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", run.count, run.name);
  return has_more_ ? fmt::format("{}, ... (hash {:x})", text, digest_ & 0xffffU) : text;
}

SignatureDigest TypeSignature::told() const {
  SignatureDigest told;
  if (!is_known_) return told;
  told.digest = digest_;
  told.elements = elements_;
  words().copy(told.words, sizeof(told.words) - 1);
  return told;
}

}  // namespace tutti::interpose

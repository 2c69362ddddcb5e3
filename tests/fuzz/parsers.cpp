/// @file
/// Parsers of sizes, times and numbers: any text is read or refused, and what was read prints and reads back the same.

#include <cstdlib>
#include <string_view>

#include "base/units.hpp"
#include "schedule/model/problem.hpp"
#include "tutti/error.hpp"

namespace {

template <typename Parse>
void read_or_refuse(Parse parse) {
  try {
    parse();
  } catch (const tutti::Error& error) {
    if (error.code() != tutti::ErrorCode::invalid_argument) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_or_refuse([&] {
    const tutti::Bytes bytes = tutti::parse_bytes(text);
    if (bytes.count < 0 || tutti::parse_bytes(tutti::text_of(bytes)) != bytes) std::abort();
  });
  read_or_refuse([&] {
    const tutti::Seconds seconds = tutti::parse_seconds(text);
    if (!(seconds.count >= 0)) std::abort();
    tutti::parse_seconds(tutti::text_of(seconds));
  });
  read_or_refuse([&] {
    const auto value = tutti::parse_integer(text, "a number", -5, 5);
    if (value < -5 || value > 5) std::abort();
  });
  tutti::collective_named(text);
  return 0;
}

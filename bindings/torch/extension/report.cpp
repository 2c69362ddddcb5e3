#include "bindings/torch/extension/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace tutti::torch_backend {
namespace {

const char* asked() {
  static const char* const text = std::getenv("TUTTI_TORCH_REPORT");
  return text;
}

double microseconds(CallReport::Duration time) { return time.count() * 1e6; }

}  // namespace

bool CallReport::is_asked_for() { return asked() != nullptr && *asked() != '\0' && std::string_view(asked()) != "0"; }

void CallReport::add(std::string_view call, std::int64_t bytes, std::string_view algorithm, Duration predicted,
                     Duration measured) {
  Calls& calls = calls_[{std::string(call), bytes, std::string(algorithm)}];
  ++calls.count;
  calls.predicted = predicted;
  calls.least = std::min(calls.least, measured);
  calls.sum += measured;
}

void CallReport::write(int size) const {
  if (calls_.empty()) return;
  std::string text =
      fmt::format("tutti.torch: calls of a group of {} ranks, from their beginning to their end\n", size);
  text += fmt::format("{:<24}{:>12}  {:<26}{:>9}{:>14}{:>12}{:>12}\n", "call", "bytes", "algorithm", "calls",
                      "predicted us", "best us", "mean us");
  for (const auto& [key, calls] : calls_) {
    const auto& [call, bytes, algorithm] = key;
    const std::string predicted =
        calls.predicted.count() > 0 ? fmt::format("{:.1f}", microseconds(calls.predicted)) : "-";
    text += fmt::format("{:<24}{:>12}  {:<26}{:>9}{:>14}{:>12.1f}{:>12.1f}\n", call, bytes,
                        algorithm.empty() ? "message" : algorithm, calls.count, predicted, microseconds(calls.least),
                        microseconds(calls.sum) / static_cast<double>(calls.count));
  }
  const bool is_file = std::string_view(asked()) != "1";
  std::FILE* const file = is_file ? std::fopen(asked(), "a") : stderr;
  if (file == nullptr) {
    std::fputs(
        fmt::format("tutti.torch: TUTTI_TORCH_REPORT={} cannot be written: name another file\n", asked()).c_str(),
        stderr);
    return;
  }
  std::fputs(text.c_str(), file);
  if (is_file) std::fclose(file);
}

}  // namespace tutti::torch_backend

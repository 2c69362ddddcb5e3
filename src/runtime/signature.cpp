#include "runtime/signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>


namespace tutti::runtime {
namespace {

/// An argument in which ranks may differ.
struct Argument {
  bool (*same)(const Signature& a, const Signature& b);
  std::string (*text)(const Signature& signature);  // continues "rank 2 called reduce with …"
};

// In the order in which a difference is told: what a call is comes before what it is about.
const Argument arguments[] = {
    {[](const Signature& a, const Signature& b) { return a.root == b.root; },
     [](const Signature& s) { return fmt::format("root {}", s.root); }},
    {[](const Signature& a, const Signature& b) { return a.distance == b.distance; },
     [](const Signature& s) { return fmt::format("distance {}", s.distance); }},
    {[](const Signature& a, const Signature& b) { return a.type == b.type; },
     [](const Signature& s) { return fmt::format("element type {}", std::string_view(s.type_name)); }},
    {[](const Signature& a, const Signature& b) { return a.op == b.op; },
     [](const Signature& s) { return fmt::format("operator {} ({:04x})", std::string_view(s.op_name), s.op & 0xffffU); }},
    {[](const Signature& a, const Signature& b) { return a.commutative == b.commutative; },
     [](const Signature& s) {
       return fmt::format("{} operator", s.commutative ? "a commutative" : "a non-commutative");
     }},
    {[](const Signature& a, const Signature& b) { return a.count == b.count; },
     [](const Signature& s) { return fmt::format("count {}", s.count); }},
    {[](const Signature& a, const Signature& b) { return a.counts == b.counts; },
     [](const Signature& s) { return fmt::format("per-rank counts {:04x} (a digest)", s.counts & 0xffffU); }},
    {[](const Signature& a, const Signature& b) { return a.algorithm == b.algorithm; },
     [](const Signature& s) { return fmt::format("algorithm {}", s.algorithm.empty() ? "left open" : std::string_view(s.algorithm)); }},
    {[](const Signature& a, const Signature& b) { return a.segments == b.segments; },
     [](const Signature& s) { return fmt::format("{} segments", s.segments); }},
    {[](const Signature& a, const Signature& b) { return a.grid == b.grid; },
     [](const Signature& s) { return fmt::format("grid {:04x} (a digest)", s.grid & 0xffffU); }},
};

/// The ranks that agree with one another, by what they say; those who are fewest first.
std::vector<std::pair<std::string, std::vector<int>>> parties(std::span<const int> ranks,
                                                              std::span<const Signature* const> signatures,
                                                              std::string (*text)(const Signature&)) {
  std::map<std::string, std::vector<int>> by_text;
  for (std::size_t k = 0; k < ranks.size(); ++k) by_text[text(*signatures[k])].push_back(ranks[k]);
  std::vector<std::pair<std::string, std::vector<int>>> result(by_text.begin(), by_text.end());
  std::stable_sort(result.begin(), result.end(),
                   [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  return result;
}

std::string sentence(const std::vector<std::pair<std::string, std::vector<int>>>& told, std::string_view verb,
                     std::string_view again) {
  std::string text;
  for (const auto& [what, who] : told) {
    text += fmt::format("{}{} {} {}", text.empty() ? "" : "; ", list_of(who), text.empty() ? verb : again, what);
  }
  return text;
}

}  // namespace

std::string call_name(const Signature& signature) {
  if (signature.purpose == Purpose::split) return "split";
  if (signature.purpose == Purpose::duplicate) return "duplicate";
  std::string name(name_of(signature.collective));
  std::replace(name.begin(), name.end(), '-', '_');
  return signature.by_counts ? name + "_v" : name;
}

std::string disagreement(std::span<const int> ranks, std::span<const Signature* const> signatures) {
  const auto calls = parties(ranks, signatures, call_name);
  if (calls.size() > 1) return sentence(calls, "called", "called");
  const Signature& first = *signatures.front();
  for (const Argument& argument : arguments) {
    const bool all = std::all_of(signatures.begin(), signatures.end(),
                                 [&](const Signature* other) { return argument.same(first, *other); });
    if (all) continue;
    return sentence(parties(ranks, signatures, argument.text), fmt::format("called {} with", call_name(first)), "with");
  }
  return {};
}

std::string list_of(std::span<const int> ranks) {
  constexpr std::size_t most = 16;
  if (ranks.size() <= most) return fmt::format("rank{} {}", ranks.size() == 1 ? "" : "s", fmt::join(ranks, ", "));
  return fmt::format("ranks {}, … ({} in all)", fmt::join(ranks.first(most), ", "), ranks.size());
}

}  // namespace tutti::runtime

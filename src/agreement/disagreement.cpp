#include "agreement/disagreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/text/rank_lists.hpp"
#include "base/units.hpp"
#include "schedule/model/collective_names.hpp"
#include "schedule/model/planning.hpp"

namespace tutti::runtime {
namespace {

/// Subject of an argument whose text depends on more than one rank's signature: types and operators are told by their
/// names if these differ, counts if they differ, and a rank that names no algorithm says of the environment that it
/// does not, if another rank's does.
enum class Subject : std::uint8_t { other, type, operation, counts, algorithm };

/// A name may say more in brackets.
bool is_of_bytes(std::string_view type) { return type.substr(0, type.find(" (")) == "byte"; }

bool is_by_environment(const Signature& signature) { return signature.named_by == NamedBy::environment; }

/// An argument in which ranks may differ.
struct SignatureField {
  bool (*same)(const Signature& a, const Signature& b);
  std::string (*text)(const Signature& signature);  // continues "rank 2 called reduce with …"
  Subject subject = Subject::other;
};

// In the order in which a difference is told: what a call is comes before what it is about.
const SignatureField arguments[] = {
    {[](const Signature& a, const Signature& b) { return a.root == b.root; },
     [](const Signature& s) { return fmt::format("root {}", s.root); }},
    {[](const Signature& a, const Signature& b) { return a.distance == b.distance; },
     [](const Signature& s) { return fmt::format("distance {}", s.distance); }},
    {[](const Signature& a, const Signature& b) { return a.op == b.op; },
     [](const Signature& s) {
       return fmt::format("operator {} ({:04x})", std::string_view(s.op_name), s.op & 0xffffU);
     },
     Subject::operation},
    {[](const Signature& a, const Signature& b) { return a.type == b.type; },
     [](const Signature& s) {
       return fmt::format("element type {} ({:04x})", std::string_view(s.type_name), s.type & 0xffffU);
     },
     Subject::type},
    {[](const Signature& a, const Signature& b) { return a.commutative == b.commutative; },
     [](const Signature& s) {
       return fmt::format("{} operator", s.commutative ? "a commutative" : "a non-commutative");
     }},
    {[](const Signature& a, const Signature& b) { return a.count == b.count; },
     [](const Signature& s) {
       // Calls that see bytes alone, as an MPI program's do whatever their types are.
       const std::string_view type = s.type_name;
       return is_of_bytes(type) ? count_in_words(s.count, type) : fmt::format("count {}", s.count);
     }},
    {[](const Signature& a, const Signature& b) { return a.counts == b.counts; },
     [](const Signature& s) {
       return s.counts == counts_at_root ? std::string("counts at the root alone")
                                         : fmt::format("per-rank counts {:04x} (a digest)", s.counts & 0xffffU);
     },
     Subject::counts},
    {[](const Signature& a, const Signature& b) {
       return a.algorithm == b.algorithm && is_by_environment(a) == is_by_environment(b);
     },
     [](const Signature& s) {
       if (is_by_environment(s))
         return fmt::format("{}={}", algorithm_variable(s.collective), std::string_view(s.algorithm));
       return fmt::format("algorithm {}", s.algorithm.empty() ? "left open" : std::string_view(s.algorithm));
     },
     Subject::algorithm},
    {[](const Signature& a, const Signature& b) { return a.parameters == b.parameters; },
     [](const Signature& s) { return std::string(std::string_view(s.parameters_in_words)); }},
    {[](const Signature& a, const Signature& b) { return a.planning == b.planning; },
     [](const Signature& s) { return fmt::format("planning {}", name_of(s.planning)); }},
};

using Parties = std::vector<std::pair<std::string, std::vector<int>>>;

/// The ranks that agree with one another, by what they say; those who are fewest first. `text` is that of the rank at a
/// place in `ranks`.
template <typename Text>
Parties parties(std::span<const int> ranks, const Text& text) {
  std::map<std::string, std::vector<int>> by_text;
  for (std::size_t k = 0; k < ranks.size(); ++k) by_text[text(k)].push_back(ranks[k]);
  Parties result(by_text.begin(), by_text.end());
  std::stable_sort(result.begin(), result.end(),
                   [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  return result;
}

/// A type's name, or an operator's, and what it is known by.
struct NamedArgument {
  std::string_view name;
  std::uint64_t identity;
};

NamedArgument named(const Signature& signature, Subject subject) {
  if (subject == Subject::type) return {signature.type_name, signature.type};
  return {signature.op_name, signature.op};
}

/// Whether no two types, or operators, have one name: long ones are cut.
bool are_told_by_names(std::span<const Signature* const> signatures, Subject subject) {
  std::map<std::string_view, std::uint64_t> identities;
  return std::all_of(signatures.begin(), signatures.end(), [&](const Signature* each) {
    const auto [name, identity] = named(*each, subject);
    return identities.try_emplace(name, identity).first->second == identity;
  });
}

/// For which ranks not all give the same count; empty also where somebody's counts are not known.
std::vector<std::size_t> places_that_differ(std::span<const std::vector<std::int64_t>> counts) {
  std::vector<std::size_t> places;
  const std::vector<std::int64_t>& first = counts.front();
  for (const std::vector<std::int64_t>& each : counts) {
    if (each.size() != first.size()) return {};
  }
  for (std::size_t at = 0; at < first.size(); ++at) {
    if (std::any_of(counts.begin(), counts.end(), [&](const auto& each) { return each[at] != first[at]; }))
      places.push_back(at);
  }
  return places;
}

/// "count 3 for rank 1, 4 for rank 2": at the places that differ, of which there may be many.
std::string counts_at(const std::vector<std::int64_t>& counts, std::span<const std::size_t> places) {
  constexpr std::size_t most = 4;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, places.size()); ++k) {
    text += fmt::format("{}{} for rank {}", k == 0 ? "count " : ", ", counts[places[k]], places[k]);
  }
  return places.size() > most ? text + ", …" : text;
}

std::string sentence(const Parties& told, std::string_view verb, std::string_view again) {
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
  if (signature.purpose == Purpose::named) return std::string(std::string_view(signature.op_name));
  return call_name(signature.collective, signature.by_counts);
}

std::string disagreement(std::span<const int> ranks, std::span<const Signature* const> signatures,
                         std::span<const std::vector<std::int64_t>> counts) {
  const auto calls = parties(ranks, [&](std::size_t k) { return call_name(*signatures[k]); });
  if (calls.size() > 1) return sentence(calls, "called", "called");
  const Signature& first = *signatures.front();
  const std::string verb = fmt::format("called {} with", call_name(first));
  for (const SignatureField& argument : arguments) {
    const bool all = std::all_of(signatures.begin(), signatures.end(),
                                 [&](const Signature* other) { return argument.same(first, *other); });
    if (all) continue;
    const auto places = argument.subject == Subject::counts ? places_that_differ(counts) : std::vector<std::size_t>();
    const bool environments_differ = argument.subject == Subject::algorithm &&
                                     std::any_of(signatures.begin(), signatures.end(),
                                                 [](const Signature* each) { return is_by_environment(*each); });
    const bool has_name = argument.subject == Subject::type || argument.subject == Subject::operation;
    const bool is_told_by_name = has_name && are_told_by_names(signatures, argument.subject);
    const auto text = [&](std::size_t k) {
      if (is_told_by_name) {
        return fmt::format("{} {}", argument.subject == Subject::type ? "element type" : "operator",
                           named(*signatures[k], argument.subject).name);
      }
      if (environments_differ && signatures[k]->named_by == NamedBy::nobody)
        return algorithm_variable(first.collective) + " not set";
      return places.empty() ? argument.text(*signatures[k]) : counts_at(counts[k], places);
    };
    const std::string told = sentence(parties(ranks, text), verb, "with");
    return environments_differ ? told + "; set it alike for all ranks" : told;
  }
  return {};
}

std::string_view unit_of(std::string_view type) { return is_of_bytes(type) ? "byte" : "element"; }

std::string count_in_words(std::int64_t count, std::string_view type) { return counted(count, unit_of(type)); }

std::string unmatched(std::size_t from, std::size_t to, std::int64_t sent, std::int64_t expected,
                      std::string_view type) {
  return fmt::format("rank {} sends {} to rank {}, which expects {}", from, count_in_words(sent, type), to,
                     grouped(expected));
}

std::string unmatched(std::span<const int> ranks, std::span<const std::vector<std::int64_t>> counts, int size,
                      std::string_view type) {
  const auto p = static_cast<std::size_t>(size);
  for (std::size_t sender = 0; sender < ranks.size(); ++sender) {
    for (std::size_t receiver = 0; receiver < ranks.size(); ++receiver) {
      if (counts[sender].size() != 2 * p || counts[receiver].size() != 2 * p) continue;
      const auto from = static_cast<std::size_t>(ranks[sender]);
      const auto to = static_cast<std::size_t>(ranks[receiver]);
      const std::int64_t sent = counts[sender][to];
      const std::int64_t expected = counts[receiver][p + from];
      if (sent != expected) return unmatched(from, to, sent, expected, type);
    }
  }
  return {};
}

}  // namespace tutti::runtime

#include "base/text/text_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "base/text/xml_tags.hpp"

namespace tutti {
namespace {

constexpr std::string_view describe_links = "describe its links as FILE.json";
constexpr std::string_view take_matrix = "save what 'nvidia-smi topo -m' prints, as FILE.txt";

/// A kind that the name of the first element tells.
struct RootKind {
  std::string_view root;
  TextKind kind;
};

constexpr std::array roots{
    RootKind{"platform", {"a platform of SimGrid", describe_links}},
    RootKind{"algo", {"a schedule of MSCCL", "'tutti verify schedule' reads it"}},
    RootKind{"topology", {"a machine in hwloc's XML", "--topology reads it where its name ends in .xml"}},
    RootKind{"object", {"a part of a machine in hwloc's XML", "take the file whole"}},
    RootKind{"system", {"a topology of NCCL or RCCL", describe_links}},
    RootKind{"graphs", {"the graphs that NCCL has searched", describe_links}},
    RootKind{"nvidia_smi_log", {"a log of 'nvidia-smi -q -x', which has no matrix", take_matrix}},
    RootKind{"graphml", {"a graph in GraphML", describe_links}},
    RootKind{"svg", {"a drawing", "take the data that it was drawn from"}},
    RootKind{"html", {"a web page", "save the file itself, not the page that shows it"}},
};

/// A kind that words of the text tell.
struct WordKind {
  std::string_view word;
  bool at_begin;
  TextKind kind;
};

constexpr std::array words{
    WordKind{"\x1f\x8b", true, {"a compressed file", "unpack it"}},
    WordKind{"PK\x03\x04", true, {"an archive", "unpack it"}},
    WordKind{"digraph ", true, {"a graph of Graphviz", describe_links}},
    WordKind{"graph ", true, {"a graph of Graphviz", describe_links}},
    WordKind{"strict graph ", true, {"a graph of Graphviz", describe_links}},
    WordKind{"Machine (", true, {"lstopo's drawing in letters", "lstopo writes XML with --of xml"}},
    WordKind{"\"tutti_schedule\"", false, {"a schedule of tutti", "'tutti verify schedule' reads it as FILE.json"}},
    WordKind{"between two GPUs", false, {"what 'rocm-smi --showtopo' prints", describe_links}},
    WordKind{"\"links\"", false, {"a network as JSON", "--topology reads it where its name ends in .json"}},
};

// The name of the first element that is neither a declaration nor a comment; a web page may begin with its doctype.
std::optional<std::string_view> root_of(std::string_view text) {
  XmlTags tags(text);
  while (const auto tag = tags.next()) {
    const std::string_view name = xml_name(*tag);
    if (!name.starts_with('?') && !name.starts_with('!')) return name;
  }
  return std::nullopt;
}

bool is_alike(std::string_view a, std::string_view b) {
  const auto low = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return low(x) == low(y); });
}

}  // namespace

std::optional<TextKind> kind_of_text(std::string_view text) {
  constexpr std::size_t most_looked_at = 1 << 16;
  text = text.substr(0, most_looked_at);
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return TextKind{"empty", "look for what was to write it"};
  text.remove_prefix(begin);
  if (text.starts_with('<')) {
    const auto root = root_of(text);
    if (!root) return std::nullopt;
    for (const RootKind& each : roots) {
      if (is_alike(*root, each.root)) return each.kind;
    }
    return std::nullopt;
  }
  for (const WordKind& each : words) {
    if (each.at_begin ? text.starts_with(each.word) : text.find(each.word) != std::string_view::npos) return each.kind;
  }
  return std::nullopt;
}

std::string seems_to_be(std::string_view text, std::string_view wanted, std::string_view otherwise) {
  const auto kind = kind_of_text(text);
  const bool is_other = kind && kind->what.find(wanted) == std::string_view::npos;
  return is_other ? fmt::format("; it seems to be {}: {}", kind->what, kind->remedy) : std::string(otherwise);
}

}  // namespace tutti

/// @file
/// Networks from the matrix that `nvidia-smi topo -m` prints.

#include <charconv>
#include <sstream>

#include "base/check.hpp"
#include "topology/graph.hpp"

namespace tutti {
namespace {

bool is_gpu(std::string_view word) {
  return word.starts_with("GPU") && word.size() > 3 &&
         word.find_first_not_of("0123456789", 3) == std::string_view::npos;
}

std::vector<std::string> words_of(const std::string& line) {
  // The header is underlined on a terminal: escape sequences are no words.
  std::string plain;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '\x1b') {
      at = line.find('m', at);
      if (at == std::string::npos) break;
      continue;
    }
    plain += line[at];
  }
  std::istringstream stream(plain);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// The NVLink lanes that an entry stands for; 0: the way over the host.
int lanes_of(std::string_view entry, const std::string& name, std::size_t row, std::size_t column) {
  if (entry == "PIX" || entry == "PXB" || entry == "PHB" || entry == "NODE" || entry == "SYS" || entry == "SOC")
    return 0;
  int lanes = 0;
  const bool nvlink =
      entry.starts_with("NV") &&
      std::from_chars(entry.data() + 2, entry.data() + entry.size(), lanes).ptr == entry.data() + entry.size();
  require(nvlink && lanes > 0,
          "{}: the entry \"{}\" for GPU{} and GPU{} is none of NV1, NV2, …, PIX, PXB, PHB, NODE, SYS", name, entry, row,
          column);
  return lanes;
}

}  // namespace

TopologyPtr topology_from_nvidia_smi(std::string_view text, std::string name) {
  std::istringstream lines{std::string(text)};
  std::vector<std::vector<std::string>> rows;
  std::size_t columns = 0;
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> words = words_of(line);
    if (words.empty() || !is_gpu(words.front())) continue;
    if (columns == 0) {
      while (columns < words.size() && is_gpu(words[columns])) ++columns;
    } else {
      rows.push_back(std::move(words));
    }
  }
  require(columns > 0 && rows.size() == columns, "{}: a matrix of {} GPU columns needs as many GPU rows, not {}", name,
          columns, rows.size());

  GraphDescription graph{.name = std::move(name), .ranks = static_cast<int>(columns)};
  bool over_host = false;
  for (std::size_t a = 0; a < columns; ++a) {
    require(rows[a].size() > columns, "{}: the row of GPU{} has {} entries, not {}", graph.name, a, rows[a].size() - 1,
            columns);
    for (std::size_t b = 0; b < a; ++b) {
      const int lanes = lanes_of(rows[a][b + 1], graph.name, a, b);
      require(lanes == lanes_of(rows[b][a + 1], graph.name, b, a), "{}: GPU{} and GPU{} disagree on their link",
              graph.name, b, a);
      if (lanes > 0) add_cable(graph, static_cast<int>(b), static_cast<int>(a), {.lanes = static_cast<double>(lanes)});
      over_host = over_host || lanes == 0;
    }
  }
  if (over_host) {
    graph.switches = 1;
    for (int gpu = 0; gpu < graph.ranks; ++gpu) add_cable(graph, gpu, graph.ranks);
  }
  return graph_topology(std::move(graph));
}

}  // namespace tutti

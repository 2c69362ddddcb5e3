/// @file
/// Networks from the matrix that `nvidia-smi topo -m` prints.
///
/// The matrix says how two GPUs are connected, not how fast. Lanes of the network are in units of an NVLink's:
///
///     NV#       25 GB/s each way for each NVLink of V100 (6 of them), A100 (12) and H100 (18)
///     PIX…NODE  PCIe x16: 15.75 GB/s (3.0) where GPUs have up to 6 NVLinks, 63 GB/s (5.0) where more than 12,
///               else 31.5 GB/s (4.0)
///     SYS       20.8 GB/s, one UPI link between sockets of 10.4 GT/s; PCIe where that is slower
///
/// Sources: NVIDIA, Tesla V100, A100 and H100 Tensor Core GPU Architecture (white papers), 2017, 2020, 2022; PCI-SIG,
/// PCI Express Base Specification 3.0, 4.0, 5.0; Intel, Xeon Processor Scalable Family Technical Overview, 2017.

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
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

constexpr double nvlink = 25e9;  // bytes a second, each way
constexpr double socket_link = 20.8e9;
constexpr int most_nvlinks = 18;  // of any GPU
constexpr int most_told = 1000;   // in an entry: a row's sum stays a number whatever the file says

double pcie(int nvlinks) {
  if (nvlinks == 0) return 31.5e9;
  return nvlinks <= 6 ? 15.75e9 : nvlinks <= 12 ? 31.5e9 : 63e9;
}

/// How two GPUs are connected: by NVLinks, or over the host.
struct Connection {
  int nvlinks = 0;
  std::size_t level = 0;  // over the host: how far up, an index of `levels`
};

// From one PCIe switch up to the connection of the sockets; SOC is what old drivers call SYS.
constexpr std::array<std::string_view, 5> levels{"PIX", "PXB", "PHB", "NODE", "SYS"};
constexpr std::size_t between_sockets = levels.size() - 1;

Connection connection_of(std::string_view entry, const std::string& name, std::size_t row, std::size_t column) {
  const auto level = std::find(levels.begin(), levels.end(), entry == "SOC" ? levels.back() : entry);
  if (level != levels.end()) return {.level = static_cast<std::size_t>(level - levels.begin())};
  int nvlinks = 0;
  const bool is_nvlink =
      entry.starts_with("NV") &&
      std::from_chars(entry.data() + 2, entry.data() + entry.size(), nvlinks).ptr == entry.data() + entry.size();
  require(is_nvlink && nvlinks > 0 && nvlinks <= most_told,
          "{}: the entry \"{}\" for GPU{} and GPU{} is none of NV1, NV2, …, PIX, PXB, PHB, NODE, SYS", name, entry, row,
          column);
  return {.nvlinks = nvlinks};
}

using Matrix = std::vector<std::vector<Connection>>;

Matrix matrix_in(std::string_view text, const std::string& name) {
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
  require(columns > 0, "{}: there is no row of GPUs, as 'nvidia-smi topo -m' prints them", name);
  require(rows.size() == columns, "{}: a matrix of {} GPU columns needs as many GPU rows, not {}", name, columns,
          rows.size());
  Matrix matrix(columns, std::vector<Connection>(columns));
  for (std::size_t a = 0; a < columns; ++a) {
    require(rows[a].size() > columns, "{}: the row of GPU{} has {} entries, not {}", name, a, rows[a].size() - 1,
            columns);
    for (std::size_t b = 0; b < columns; ++b) {
      if (a != b) matrix[a][b] = connection_of(rows[a][b + 1], name, a, b);
    }
  }
  for (std::size_t a = 0; a < columns; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      require(matrix[a][b].nvlinks == matrix[b][a].nvlinks && matrix[a][b].level == matrix[b][a].level,
              "{}: GPU{} and GPU{} disagree on their link", name, b, a);
    }
  }
  return matrix;
}

/// Turns the matrix into a graph: NVLinks first, so that of ways of equal length theirs is taken.
class Gpus {
 public:
  Gpus(Matrix matrix, std::string name)
      : matrix_(std::move(matrix)), graph_{.name = std::move(name), .ranks = static_cast<int>(matrix_.size())} {
    graph_.usual_tw = 1 / nvlink;
  }

  GraphDescription graph() {
    const std::vector<int> islands = groups([](const Connection& c) { return c.nvlinks > 0; });
    for (int gpu = 0; gpu < graph_.ranks; ++gpu) {
      if (islands[static_cast<std::size_t>(gpu)] == gpu) add_island(islands, gpu);
    }
    add_host();
    return std::move(graph_);
  }

 private:
  const std::vector<Connection>& row(int gpu) const { return matrix_[static_cast<std::size_t>(gpu)]; }

  // Ranks that are joined directly or through others have the same first one.
  template <typename Joined>
  std::vector<int> groups(Joined joined) const {
    std::vector<int> first(matrix_.size());
    std::iota(first.begin(), first.end(), 0);
    for (std::size_t a = 0; a < matrix_.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (!joined(matrix_[a][b]) || first[a] == first[b]) continue;
        const auto [low, high] = std::minmax(first[a], first[b]);
        std::replace(first.begin(), first.end(), int{high}, int{low});
      }
    }
    return first;
  }

  // Cables between GPUs; or, where a GPU would have more NVLinks than there are, from each to a switch: then an entry
  // is all that the GPU has, and pairs share it.
  void add_island(const std::vector<int>& islands, int first) {
    std::vector<int> gpus;
    bool on_a_switch = false;
    for (int gpu = first; gpu < graph_.ranks; ++gpu) {
      if (islands[static_cast<std::size_t>(gpu)] != first) continue;
      gpus.push_back(gpu);
      int sum = 0;
      for (const Connection& c : row(gpu)) sum += c.nvlinks;
      on_a_switch = on_a_switch || sum > most_nvlinks;
      nvlinks_ = std::max(nvlinks_, std::min(sum, most_nvlinks));
    }
    const int nvswitch = graph_.ranks + graph_.switches;
    if (on_a_switch) ++graph_.switches;
    int most = 0;
    for (const int gpu : gpus) {
      const auto more = [](const Connection& a, const Connection& b) { return a.nvlinks < b.nvlinks; };
      const int widest = std::max_element(row(gpu).begin(), row(gpu).end(), more)->nvlinks;
      most = std::max(most, widest);
      if (on_a_switch) add_cable(graph_, gpu, nvswitch, {.lanes = static_cast<double>(widest)});
      for (int peer = first; peer < gpu && !on_a_switch; ++peer) {
        const int lanes = row(gpu)[static_cast<std::size_t>(peer)].nvlinks;
        if (lanes > 0) add_cable(graph_, peer, gpu, {.lanes = static_cast<double>(lanes)});
      }
    }
    if (on_a_switch) nvlinks_ = most;
  }

  // A tree: what is connected at a level hangs on a switch of that level, which hangs on one of a higher level.
  void add_host() {
    std::vector<int> top(matrix_.size());  // the node over each GPU so far
    std::iota(top.begin(), top.end(), 0);
    for (std::size_t level = 0; level < levels.size(); ++level) {
      const auto at_level = [&](const Connection& c) { return c.nvlinks == 0 && c.level == level; };
      const auto up_to_level = [&](const Connection& c) { return c.nvlinks == 0 && c.level <= level; };
      std::vector<int> first = groups(up_to_level);
      if (level == between_sockets && !any(at_level)) break;
      // There is one connection of the sockets.
      if (level == between_sockets) std::fill(first.begin(), first.end(), 0);
      const double speed = level == between_sockets ? std::min(pcie(nvlinks_), socket_link) : pcie(nvlinks_);
      for (int gpu = 0; gpu < graph_.ranks; ++gpu) {
        if (first[static_cast<std::size_t>(gpu)] == gpu) add_switch(first, gpu, speed / nvlink, top);
      }
    }
  }

  template <typename Condition>
  bool any(Condition condition) const {
    for (std::size_t a = 0; a < matrix_.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (condition(matrix_[a][b])) return true;
      }
    }
    return false;
  }

  // Joins what is at the top of the group, unless that is one node.
  void add_switch(const std::vector<int>& groups, int first, double lanes, std::vector<int>& top) {
    std::vector<int> below;
    for (std::size_t gpu = 0; gpu < top.size(); ++gpu) {
      if (groups[gpu] == first) below.push_back(top[gpu]);
    }
    std::sort(below.begin(), below.end());
    below.erase(std::unique(below.begin(), below.end()), below.end());
    if (below.size() == 1) return;
    const int node = graph_.ranks + graph_.switches++;
    for (const int each : below) add_cable(graph_, each, node, {.lanes = lanes});
    for (std::size_t gpu = 0; gpu < top.size(); ++gpu) {
      if (groups[gpu] == first) top[gpu] = node;
    }
  }

  Matrix matrix_;
  GraphDescription graph_;
  int nvlinks_ = 0;  // of a GPU
};

}  // namespace

TopologyPtr topology_from_nvidia_smi(std::string_view text, std::string name) {
  Matrix matrix = matrix_in(text, name);
  return graph_topology(Gpus(std::move(matrix), std::move(name)).graph());
}

}  // namespace tutti

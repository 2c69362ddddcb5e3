/// @file
/// Networks from the matrix that `nvidia-smi topo -m` prints.
///
/// The matrix says how two GPUs are connected, not how fast. Lanes of the network are in units of an NVLink's:
///
///     NV#       25 GB/s each way for each NVLink, and what gpu_models.cpp says where the text names a GPU
///     PIX…NODE  PCIe x16: 15.75 GB/s (3.0), 31.5 GB/s (4.0), 63 GB/s (5.0), 121 GB/s (6.0): the generation that the
///               caller says, that of the GPU which the text names, or 5.0
///     SYS       20.8 GB/s, one UPI link between sockets of 10.4 GT/s; PCIe where that is slower
///
/// Sources: NVIDIA, Tesla V100, A100 and H100 Tensor Core GPU Architecture (white papers), 2017, 2020, 2022; PCI-SIG,
/// PCI Express Base Specification 3.0, 4.0, 5.0, 6.0; Intel, Xeon Processor Scalable Family Technical Overview, 2017.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "base/check.hpp"
#include "topology/formats/gpu_models.hpp"
#include "topology/formats/nvidia_smi_matrix.hpp"
#include "topology/formats/pasted_text.hpp"
#include "topology/graph.hpp"

namespace tutti {
namespace {

using nvidia_smi::between_sockets;
using nvidia_smi::GpuConnection;
using nvidia_smi::levels;
using nvidia_smi::Matrix;

constexpr double usual_nvlink = 25e9;  // bytes a second, each way
constexpr double socket_link = 20.8e9;
constexpr int most_nvlinks = 18;  // most NVLinks of any GPU
constexpr int usual_pcie = 5;     // the generation

// Bytes a second each way over 16 lanes.
double pcie_speed(int generation) {
  constexpr std::array speeds{15.75e9, 31.5e9, 63e9, 121e9};
  return speeds.at(static_cast<std::size_t>(generation - oldest_pcie));
}

/// Speeds that the matrix leaves open.
struct Speeds {
  int nvlinks = most_nvlinks;  // most NVLinks of a GPU
  double nvlink = usual_nvlink;
  double pcie = 0;
};

/// Turns the matrix into a graph: NVLinks first, so that of ways of equal length theirs is taken.
class Gpus {
 public:
  Gpus(Matrix matrix, std::string name, const Speeds& speeds)
      : matrix_(std::move(matrix)),
        graph_{.name = std::move(name), .ranks = static_cast<int>(matrix_.size())},
        speeds_(speeds) {
    graph_.usual_tw = 1 / speeds.nvlink;
    graph_.forwarding = Forwarding::ranks;
  }

  GraphDescription graph() {
    const std::vector<int> islands = groups([](const GpuConnection& c) { return c.nvlinks > 0; });
    for (int gpu = 0; gpu < graph_.ranks; ++gpu) {
      if (islands[static_cast<std::size_t>(gpu)] == gpu) add_island(islands, gpu);
    }
    add_host();
    return std::move(graph_);
  }

 private:
  const std::vector<GpuConnection>& row(int gpu) const { return matrix_[static_cast<std::size_t>(gpu)]; }

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
      for (const GpuConnection& c : row(gpu)) sum += c.nvlinks;
      on_a_switch = on_a_switch || sum > speeds_.nvlinks;
    }
    const int nvswitch = graph_.ranks + graph_.switches;
    if (on_a_switch) ++graph_.switches;
    for (const int gpu : gpus) {
      const auto more = [](const GpuConnection& a, const GpuConnection& b) { return a.nvlinks < b.nvlinks; };
      const int widest = std::max_element(row(gpu).begin(), row(gpu).end(), more)->nvlinks;
      if (on_a_switch) add_cable(graph_, gpu, nvswitch, {.lanes = static_cast<double>(widest)});
      for (int peer = first; peer < gpu && !on_a_switch; ++peer) {
        const int lanes = row(gpu)[static_cast<std::size_t>(peer)].nvlinks;
        if (lanes > 0) add_cable(graph_, peer, gpu, {.lanes = static_cast<double>(lanes)});
      }
    }
  }

  // A tree: what is connected at a level hangs on a switch of that level, which hangs on one of a higher level.
  void add_host() {
    std::vector<int> top(matrix_.size());  // the node over each GPU so far
    std::iota(top.begin(), top.end(), 0);
    for (std::size_t level = 0; level < levels.size(); ++level) {
      const auto at_level = [&](const GpuConnection& c) { return c.nvlinks == 0 && c.level == level; };
      const auto up_to_level = [&](const GpuConnection& c) { return c.nvlinks == 0 && c.level <= level; };
      std::vector<int> first = groups(up_to_level);
      if (level == between_sockets && !any(at_level)) break;
      // There is one connection of the sockets.
      if (level == between_sockets) std::fill(first.begin(), first.end(), 0);
      const double speed = level == between_sockets ? std::min(speeds_.pcie, socket_link) : speeds_.pcie;
      for (int gpu = 0; gpu < graph_.ranks; ++gpu) {
        if (first[static_cast<std::size_t>(gpu)] == gpu) add_switch(first, gpu, speed / speeds_.nvlink, top);
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
  Speeds speeds_;
};

// Whether messages of some pair go over the host.
bool uses_host(const Matrix& matrix) {
  for (std::size_t a = 0; a < matrix.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (matrix[a][b].nvlinks == 0) return true;
    }
  }
  return false;
}

std::string assumption_of(const std::string& name, const GpuModel* model, int generation) {
  const std::string why =
      model == nullptr ? "the text names no GPU" : fmt::format("the text names the {}", model->name);
  return fmt::format("{}: PCIe {}.0 is assumed, {:g} GB/s each way, because {}; --pcie 3|4|5|6 says otherwise", name,
                     generation, pcie_speed(generation) / 1e9, why);
}

}  // namespace

TopologyPtr topology_from_nvidia_smi(std::string_view text, std::string name, std::optional<int> pcie,
                                     std::string* assumption) {
  const std::vector<std::vector<std::string>> lines = words_of_lines(text);
  Matrix matrix = nvidia_smi::matrix_in(lines, text, name);
  const GpuModel* model = gpu_named_in(lines);
  const int generation = pcie.value_or(model == nullptr ? usual_pcie : model->pcie);
  require(oldest_pcie <= generation && generation <= newest_pcie, "PCIe {}.0 is not known; {} to {} are", generation,
          oldest_pcie, newest_pcie);
  Speeds speeds{.pcie = pcie_speed(generation)};
  if (model != nullptr && model->nvlinks > 0) {
    speeds.nvlinks = model->nvlinks;
    speeds.nvlink = model->nvlink;
  }
  if (assumption != nullptr && !pcie && uses_host(matrix)) *assumption = assumption_of(name, model, generation);
  return graph_topology(Gpus(std::move(matrix), std::move(name), speeds).graph());
}

}  // namespace tutti

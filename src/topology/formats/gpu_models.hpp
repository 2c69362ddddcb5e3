/// @file
/// GPUs whose links are known: the generation of PCIe, and NVLinks.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tutti {

/// A GPU as its data sheet describes it.
struct GpuModel {
  std::string_view name;  ///< "A100"
  int pcie = 0;           ///< generation, of 16 lanes
  int nvlinks = 0;        ///< number of its NVLinks
  double nvlink = 25e9;   ///< bytes a second each way, of one NVLink
  bool is_short = false;  ///< a name that is a word only behind "NVIDIA", "Tesla", "RTX" or "Quadro": "T4", "3090"
};

std::span<const GpuModel> gpu_models();

/// Returns the first GPU that the lines of words name, or null: "NVIDIA A100-SXM4-80GB" is the words NVIDIA, A100, SXM4
/// and 80GB.
const GpuModel* gpu_named_in(const std::vector<std::vector<std::string>>& lines);

}  // namespace tutti

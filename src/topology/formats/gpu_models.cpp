/// @file
/// Sources: NVIDIA's white papers and data sheets: Tesla P100 (2016), V100 (2017), Turing (2018), A100 (2020), GA102
/// (2021), A30 and A40 (2021), Ada (2023), H100 (2022), H200 (2023), Blackwell (2024).

#include "topology/formats/gpu_models.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace tutti {
namespace {

constexpr double first_nvlink = 20e9;
constexpr double bridge = 14.0625e9;  // bridge of GA102: 112.5 GB/s over four, both ways
constexpr double fifth_nvlink = 50e9;

constexpr std::array models{
    GpuModel{"P100", 3, 4, first_nvlink},
    GpuModel{"V100", 3, 6},
    GpuModel{"V100S", 3, 0},
    GpuModel{"T4", 3, 0, 25e9, true},
    GpuModel{"P4", 3, 0, 25e9, true},
    GpuModel{"P40", 3, 0, 25e9, true},
    GpuModel{"2080", 3, 2, 25e9, true},
    GpuModel{"A100", 4, 12},
    GpuModel{"A800", 4, 8},
    GpuModel{"A30", 4, 4, 25e9, true},
    GpuModel{"A40", 4, 4, bridge, true},
    GpuModel{"A6000", 4, 4, bridge},
    GpuModel{"A5500", 4, 4, bridge},
    GpuModel{"A5000", 4, 4, bridge},
    GpuModel{"A4500", 4, 4, bridge},
    GpuModel{"3090", 4, 4, bridge, true},
    GpuModel{"A10", 4, 0, 25e9, true},
    GpuModel{"A10G", 4, 0},
    GpuModel{"A16", 4, 0, 25e9, true},
    GpuModel{"L4", 4, 0, 25e9, true},
    GpuModel{"L20", 4, 0, 25e9, true},
    GpuModel{"L40", 4, 0, 25e9, true},
    GpuModel{"L40S", 4, 0},
    GpuModel{"4090", 4, 0, 25e9, true},
    GpuModel{"H100", 5, 18},
    GpuModel{"H800", 5, 8},
    GpuModel{"H20", 5, 18, 25e9, true},
    GpuModel{"H200", 5, 18},
    GpuModel{"GH200", 5, 18},
    GpuModel{"5090", 5, 0, 25e9, true},
    GpuModel{"B100", 5, 18, fifth_nvlink},
    GpuModel{"B200", 5, 18, fifth_nvlink},
    GpuModel{"GB200", 5, 18, fifth_nvlink},
    GpuModel{"B300", 6, 18, fifth_nvlink},
    GpuModel{"GB300", 6, 18, fifth_nvlink},
};

std::string in_capitals(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); });
  return word;
}

}  // namespace

std::span<const GpuModel> gpu_models() { return models; }

const GpuModel* gpu_named_in(const std::vector<std::vector<std::string>>& lines) {
  for (const std::vector<std::string>& words : lines) {
    bool is_after_maker = false;
    for (const std::string& word : words) {
      const std::string name = in_capitals(word);
      const auto found = std::find_if(models.begin(), models.end(), [&](const GpuModel& model) {
        return model.name == name && (is_after_maker || !model.is_short);
      });
      if (found != models.end()) return &*found;
      is_after_maker = name == "NVIDIA" || name == "TESLA" || name == "RTX" || name == "QUADRO" || name == "GEFORCE";
    }
  }
  return nullptr;
}

}  // namespace tutti

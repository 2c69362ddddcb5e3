/// @file
/// The matrix that `nvidia-smi topo -m` prints, as values.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::nvidia_smi {

/// Connection of two GPUs: by NVLinks, or over the host.
struct GpuConnection {
  int nvlinks = 0;
  std::size_t level = 0;  ///< over the host: how far up, an index of `levels`

  friend bool operator==(const GpuConnection&, const GpuConnection&) = default;
};

/// From one PCIe switch up to the connection of the sockets; SOC is what old drivers call SYS.
inline constexpr std::array<std::string_view, 5> levels{"PIX", "PXB", "PHB", "NODE", "SYS"};
inline constexpr std::size_t between_sockets = levels.size() - 1;

using Matrix = std::vector<std::vector<GpuConnection>>;

/// Reads the matrix out of the lines of words: the longest row of columns "GPU0 GPU1 …" for each of which a row is
/// there. What stands before a row or behind it, and other lines, are passed over; a row may come several times, if it
/// is the same. Throws `Error(invalid_argument)`, one sentence with `name`, where rows are missing, differ or disagree,
/// and where an entry is none. `text` is looked at for what else it may be.
Matrix matrix_in(const std::vector<std::vector<std::string>>& lines, std::string_view text, const std::string& name);

}  // namespace tutti::nvidia_smi

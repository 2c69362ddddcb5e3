#include "mpi_job/process/gpu_library.hpp"

#include <link.h>

#include <string_view>

namespace tutti::interpose {

bool has_gpu_library() {
  const auto is_one = [](dl_phdr_info* info, std::size_t, void*) {
    return std::string_view(info->dlpi_name).find("/libcuda") != std::string_view::npos ? 1 : 0;
  };
  return dl_iterate_phdr(is_one, nullptr) != 0;
}

}  // namespace tutti::interpose

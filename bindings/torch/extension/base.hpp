/// @file
/// Base class of a backend in torch's version at hand.
#pragma once

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#if __has_include(<torch/csrc/distributed/c10d/Backend.hpp>)
#include <torch/csrc/distributed/c10d/Backend.hpp>
#endif
#include <torch/csrc/api/include/torch/version.h>

namespace tutti::torch_backend {

#if TORCH_VERSION_MAJOR >= 2
/// torch 2 has a group of several backends, each for some devices. Untested: Debian 12 has torch 1.13.
using BackendBase = c10d::Backend;
inline constexpr const char* name_of_base = "Backend";
#else
using BackendBase = c10d::ProcessGroup;
inline constexpr const char* name_of_base = "ProcessGroup";
#endif

}  // namespace tutti::torch_backend

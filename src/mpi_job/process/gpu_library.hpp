/// @file
/// Detects a library of CUDA: a program that has one may hand over memory that the processor cannot read.
#pragma once

namespace tutti::interpose {

/// Whether a library of CUDA is loaded in this process: the driver's, or the runtime's, which loads the driver's with
/// its first call.
bool has_gpu_library();

}  // namespace tutti::interpose

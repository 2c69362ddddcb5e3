/// @file
/// Version of tutti: of these headers, in C and in C++, and of the library that runs. The build reads it here.
#pragma once

/// Version of these headers: three numbers, and one text.
#define TUTTI_VERSION_MAJOR 1
#define TUTTI_VERSION_MINOR 0
#define TUTTI_VERSION_PATCH 0
#define TUTTI_VERSION "1.0.0"

#ifdef __cplusplus
#include "tutti/detail/export.hpp"

namespace tutti {

/// Returns the version of the library that the program has found, such as "1.0.0"; TUTTI_VERSION is that of the headers
/// with which it was compiled. Cost: none. No errors.
TUTTI_API const char* version() noexcept;

}  // namespace tutti
#endif

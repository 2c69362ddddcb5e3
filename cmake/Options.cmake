# Options of the build, and the language level that all of it shares.

include(CMakeDependentOption)

option(TUTTI_BUILD_APP "Build the tutti command" ${PROJECT_IS_TOP_LEVEL})
option(TUTTI_BUILD_RUNTIME "Build what runs collectives here; without it, what proves, prices, simulates and draws them, which needs no threads and no POSIX" ON)
cmake_dependent_option(TUTTI_BUILD_EXAMPLES "Build the example programs" ${PROJECT_IS_TOP_LEVEL} TUTTI_BUILD_RUNTIME OFF)
cmake_dependent_option(TUTTI_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL} TUTTI_BUILD_RUNTIME OFF)
cmake_dependent_option(TUTTI_BUILD_BENCH "Build the benchmarks" OFF TUTTI_BUILD_RUNTIME OFF)
# Sanitizers would have to be loaded into the interpreter before all else.
cmake_dependent_option(TUTTI_BUILD_PYTHON "Build tutti for Python, where its headers and pybind11 are there" ${PROJECT_IS_TOP_LEVEL} "TUTTI_BUILD_RUNTIME;NOT TUTTI_SANITIZE" OFF)
option(TUTTI_BUILD_FUZZ "Build the fuzz targets; needs clang" OFF)
option(TUTTI_WARNINGS_AS_ERRORS "Stop at any compiler warning" OFF)
set(TUTTI_SANITIZE "" CACHE STRING "Sanitizers for everything, as -fsanitize= takes them: address,undefined or thread")
# A sample of tests with sanitizers takes the rooms that only compute as shipped, in a third of the time (PURE in Rooms.cmake).
set(TUTTI_ROOMS_FROM "" CACHE PATH "Build folder whose rooms without threads and plain bytes are linked instead of compiling them again")

if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8 AND NOT EMSCRIPTEN)
  message(FATAL_ERROR "tutti needs addresses of 64 bits: take a compiler for a 64-bit machine")
endif()
if(TUTTI_BUILD_RUNTIME)
  include(CheckCXXSymbolExists)
  check_cxx_symbol_exists(__GLIBC__ stdlib.h TUTTI_HAS_GLIBC)
  if(NOT TUTTI_HAS_GLIBC)
    message(FATAL_ERROR "tutti runs ranks with the GNU C library alone, and this compiler has another, such as musl: "
                        "take a system with glibc, or -DTUTTI_BUILD_RUNTIME=OFF for what proves, prices and draws")
  endif()
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TUTTI_CCACHE ccache)
  if(TUTTI_CCACHE)
    # Parts that a file takes from precompiled headers are known by their contents. Headers are those that the compiler names: to
    # ask the preprocessor first takes a tenth of a build that finds nothing in the cache.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1 ${TUTTI_CCACHE})
  endif()
endif()

# The command and the tests have the library do nearly all of their work. Compiling them, headers of the command line, of JSON and of
# tests most of all, takes half as long as with -O3; sanitizers make any optimization slow.
set(tutti_quick_to_compile -Og)
if(TUTTI_SANITIZE)
  set(tutti_quick_to_compile -O0)
elseif(EMSCRIPTEN)
  # Emscripten knows no -Og. A page is drawn in a third of the time that -Os takes, which calls what vectors and strings do.
  set(tutti_quick_to_compile -O2)
endif()

# For a processor that it does not know g++ clears objects of 96 bytes and more by `rep stos`, which takes 29 ns for the
# arguments of a call, where stores of 16 bytes take 7 (AMD EPYC).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  add_compile_options(-mmemset-strategy=vector_loop:256:noalign,libcall:-1:noalign)
endif()

if(TUTTI_SANITIZE)
  add_compile_options(-fsanitize=${TUTTI_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TUTTI_SANITIZE})
endif()
# Looking at every pointer before it is used takes a third of that build. The address sanitizer ends a program that reads through a null
# pointer or beyond an object, and only rooms that make pointers of plain bytes can misplace one (PLACES in Rooms.cmake): those alone are compiled with these looks.
set(tutti_looks_at_pointers null,alignment,pointer-overflow)
if(TUTTI_SANITIZE MATCHES undefined)
  add_compile_options(-fno-sanitize=${tutti_looks_at_pointers})
endif()

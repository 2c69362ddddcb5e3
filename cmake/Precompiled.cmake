# Options that make a whole build quicker than the builds of its files one by one.
#
# The standard headers that most files read, parsed once for a build instead of once for a file: a third of its time. A build
# without this option finds the #include lines that a file has forgotten.

option(TUTTI_UNITY "Compile several files of a room, of a test or of the command at once" OFF)
option(TUTTI_PRECOMPILE "Parse the standard headers once for all files" OFF)

set(tutti_common_headers <algorithm> <array> <atomic> <bit> <chrono> <cmath> <cstdint> <cstring> <functional> <limits> <map> <memory>
    <numeric> <optional> <set> <span> <sstream> <string> <string_view> <thread> <utility> <variant> <vector> <fmt/format.h>)

# tutti_precompile(TARGET SET [header ...]): TARGET reads the common headers and those that are named from the set's first target, whose
# compiler options it has to share.
function(tutti_precompile target set)
  if(NOT TUTTI_PRECOMPILE)
    return()
  endif()
  get_property(first GLOBAL PROPERTY tutti_precompiled_${set})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE ${tutti_common_headers} ${ARGN})
    set_property(GLOBAL PROPERTY tutti_precompiled_${set} ${target})
  endif()
endfunction()

# tutti_together(TARGET [BY_FOLDER [ALONE folder ...]]): its files are compiled some at a time, or those of a folder, so that what they have
# in common is parsed and made once: half of the time, and for short files nearly all; in the folders after ALONE one by one. No two files
# that are compiled at once may give different things the same name, in an unnamed namespace either.
function(tutti_together target)
  cmake_parse_arguments(TOGETHER "BY_FOLDER" "" "ALONE" ${ARGN})
  if(TUTTI_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
    if(TOGETHER_BY_FOLDER)
      get_target_property(sources ${target} SOURCES)
      foreach(source ${sources})
        cmake_path(GET source PARENT_PATH folder)
        cmake_path(GET folder FILENAME folder)
        if(NOT folder IN_LIST TOGETHER_ALONE)
          set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
        endif()
      endforeach()
      set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
    endif()
    # A name that is one file's own may be local in another.
    target_compile_options(${target} PRIVATE -Wno-shadow)
  endif()
endfunction()

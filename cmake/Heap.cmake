# The library that is preloaded into ranks so that their heaps are shared. It is linked with nothing of the runtime, and with no library but
# the system's own: it serves memory before any other has begun.

include(GNUInstallDirs)

# Sources of the preloaded heap lie in the room, but are no part of its library.
set(tutti_heap_sources ${PROJECT_SOURCE_DIR}/src/heap/preloaded)
file(GLOB tutti_heap_sources CONFIGURE_DEPENDS ${tutti_heap_sources}/*.cpp)
set_source_files_properties(${tutti_heap_sources} TARGET_DIRECTORY tutti_heap PROPERTIES HEADER_FILE_ONLY ON)

# Programs find what is preloaded from where they lie.
file(RELATIVE_PATH tutti_libraries_from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/transport/library_places.cpp TARGET_DIRECTORY tutti_transport PROPERTIES COMPILE_DEFINITIONS
  "TUTTI_LIBRARIES_FROM_PROGRAM=\"${tutti_libraries_from_program}\"")

# The sanitizers have a heap of their own.
if(TUTTI_SANITIZE)
  return()
endif()
file(GLOB tutti_arena_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/heap/arena/*.cpp)
add_library(tutti-heap SHARED ${tutti_heap_sources} ${tutti_arena_sources} ${PROJECT_SOURCE_DIR}/src/heap/space.cpp
  ${PROJECT_SOURCE_DIR}/src/heap/memory.cpp)
target_include_directories(tutti-heap PRIVATE ${PROJECT_SOURCE_DIR}/src)
# A compiler that knows malloc() would have calloc() call itself.
# Sanitizers say who has asked for memory by frame pointers, also where this library stands between.
target_compile_options(tutti-heap PRIVATE -fno-builtin -ftls-model=initial-exec -fno-omit-frame-pointer)
set_target_properties(tutti-heap PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib LINK_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/heap.map)
# Its constructor comes before all others, so that its handlers of fork() surround theirs.
target_link_options(tutti-heap PRIVATE -static-libstdc++ -static-libgcc LINKER:--exclude-libs,ALL LINKER:-z,initfirst LINKER:--no-undefined
  LINKER:--version-script=${CMAKE_CURRENT_LIST_DIR}/heap.map)
tutti_warnings(tutti-heap)
add_dependencies(programs tutti-heap)
install(TARGETS tutti-heap LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})

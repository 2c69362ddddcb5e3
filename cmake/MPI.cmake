# Sources that include <mpi.h>, built once for each MPI that is found: plugins that a program loads when an mpirun has started it.

include(GNUInstallDirs)

set(tutti_plugin_dir ${PROJECT_BINARY_DIR}/lib/tutti)
set(tutti_mpi ${PROJECT_SOURCE_DIR}/src/transport/mpi)

# Program and plugin share whatever these headers say: both carry a digest of them, so that neither calls the other
# after only one was built anew.
file(GLOB tutti_mpi_shared CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/transport/*.hpp ${PROJECT_SOURCE_DIR}/src/transport/interfaces/*.hpp ${PROJECT_SOURCE_DIR}/src/agreement/*.hpp)
list(APPEND tutti_mpi_shared ${PROJECT_SOURCE_DIR}/src/base/transport.hpp ${tutti_mpi}/plugin.hpp ${PROJECT_SOURCE_DIR}/src/schedule/model/layout.hpp
     ${PROJECT_SOURCE_DIR}/src/schedule/model/problem.hpp
     ${PROJECT_SOURCE_DIR}/src/schedule/model/schedule.hpp ${PROJECT_SOURCE_DIR}/include/tutti/error.hpp
     ${PROJECT_SOURCE_DIR}/include/tutti/detail/limits.hpp ${PROJECT_SOURCE_DIR}/include/tutti/detail/operator.hpp)
set(tutti_mpi_layout "")
foreach(header ${tutti_mpi_shared})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(SHA256 ${header} digest)
  string(SHA256 tutti_mpi_layout "${tutti_mpi_layout}${digest}")
endforeach()
string(SUBSTRING ${tutti_mpi_layout} 0 8 tutti_mpi_layout)

# Programs find the plugins from where they themselves lie, so that what is installed can be moved.
file(RELATIVE_PATH tutti_plugins_from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/tutti)
set_source_files_properties(${tutti_mpi}/loader.cpp TARGET_DIRECTORY tutti_transport PROPERTIES COMPILE_DEFINITIONS
  "TUTTI_PLUGINS_FROM_PROGRAM=\"${tutti_plugins_from_program}\";TUTTI_MPI_LAYOUT=\"${tutti_mpi_layout}\"")

# Programs of this build, and of a project that this one is part of, find them through a run path, which CMake takes away when
# it installs them. One that is built against what was installed gets the run path from tutti::static; the shared library has one of its own.
list(APPEND CMAKE_BUILD_RPATH ${tutti_plugin_dir})
if(NOT PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_RPATH ${CMAKE_BUILD_RPATH} PARENT_SCOPE)
endif()
set(tutti_plugins_installed $<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}/tutti)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(tutti_plugins_installed ${CMAKE_INSTALL_LIBDIR}/tutti)
endif()
if(TARGET tutti_static)
  target_link_options(tutti_static INTERFACE $<INSTALL_INTERFACE:LINKER:-rpath,${tutti_plugins_installed}>)
endif()

# The plugins' sources lie in the room, but are no part of its library.
file(GLOB tutti_mpi_sources CONFIGURE_DEPENDS ${tutti_mpi}/plugin/*.cpp)
set_source_files_properties(${tutti_mpi_sources} TARGET_DIRECTORY tutti_transport PROPERTIES HEADER_FILE_ONLY ON)

# tutti_mpi_plugin(FLAVOR MODULE): the plugin for the MPI that pkg-config knows as MODULE, if it does.
function(tutti_mpi_plugin flavor module)
  pkg_check_modules(TUTTI_MPI_${flavor} QUIET IMPORTED_TARGET ${module})
  if(NOT TUTTI_MPI_${flavor}_FOUND)
    message(STATUS "${flavor} is not found: programs will not run under its mpirun")
    return()
  endif()
  set(target tutti_mpi_${flavor})
  add_library(${target} MODULE ${tutti_mpi_sources})
  target_link_libraries(${target} PRIVATE tutti_transport PkgConfig::TUTTI_MPI_${flavor})
  target_compile_definitions(${target} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX
    TUTTI_MPI_NAME="${flavor} ${TUTTI_MPI_${flavor}_VERSION}" TUTTI_MPI_LAYOUT="${tutti_mpi_layout}")
  # Its part of the library stays its own: the program has the same.
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${tutti_plugin_dir})
  target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL)
  tutti_warnings(${target})
  tutti_precompile(${target} rooms)
  tutti_together(${target})
  add_dependencies(programs ${target})
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tutti)
endfunction()

# Libraries that are preloaded into programs of an MPI: what takes its collectives over, and the runtime that serves them, of which
# nothing is seen but MPI's own names.
set(tutti_interpose_sources)
foreach(room mpi_job mpi_check interpose)
  get_target_property(sources tutti_${room} TUTTI_MPI_SOURCES)
  list(APPEND tutti_interpose_sources ${sources})
endforeach()

# Entries of MPI's functions are written from the table, before anything is compiled that includes them.
add_executable(write_mpi_entries EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/write_mpi_entries.cpp)
target_link_libraries(write_mpi_entries PRIVATE tutti_mpi_table)
tutti_warnings(write_mpi_entries)
set(tutti_mpi_table ${PROJECT_SOURCE_DIR}/src/mpi_table/mpi.def)
set(tutti_mpi_entries ${PROJECT_BINARY_DIR}/generated/interpose/generated)
set(templates_c ${PROJECT_SOURCE_DIR}/src/interpose/entry/entries.in)
set(templates_fortran ${PROJECT_SOURCE_DIR}/src/interpose/fortran/entries.in)
set(written)
foreach(language c fortran)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${templates_${language}})
  # A section of templates is one file: "[served]" becomes served_c.inc.
  file(STRINGS ${templates_${language}} ways REGEX "^\\[[a-z_]+\\]$")
  list(TRANSFORM ways REPLACE "[^a-z_]" "")
  list(REMOVE_ITEM ways entry)
  list(TRANSFORM ways PREPEND ${tutti_mpi_entries}/)
  list(TRANSFORM ways APPEND _${language}.inc)
  list(APPEND written ${ways})
endforeach()
file(MAKE_DIRECTORY ${tutti_mpi_entries})
add_custom_command(OUTPUT ${written}
  COMMAND write_mpi_entries ${tutti_mpi_table} ${tutti_mpi_entries} c=${templates_c} fortran=${templates_fortran}
  DEPENDS write_mpi_entries ${tutti_mpi_table} ${templates_c} ${templates_fortran} VERBATIM)
add_custom_target(mpi_entries DEPENDS ${written})

# tutti_preloaded(FLAVOR MODULE WORDS): the library for that MPI, whose version begins with these words.
function(tutti_preloaded flavor module words)
  # The sanitizers want to come before all libraries that are preloaded.
  if(NOT TARGET PkgConfig::TUTTI_MPI_${flavor} OR TUTTI_SANITIZE)
    return()
  endif()
  set(target tutti-${flavor})
  # Files that a plugin has, too, connect ranks of several hosts here.
  set(sources ${tutti_mpi_sources})
  list(FILTER sources EXCLUDE REGEX "/plugin\\.cpp$")
  add_library(${target} SHARED ${tutti_interpose_sources} ${sources})
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated)
  add_dependencies(${target} mpi_entries)
  target_link_libraries(${target} PRIVATE tutti_interpose PkgConfig::TUTTI_MPI_${flavor})
  target_compile_definitions(${target} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX TUTTI_MPI_WORDS="${words}" TUTTI_MPI_FLAVOR="${flavor}")
  # Open MPI's launcher says which ranks have the library. Its functions are looked up when the program runs.
  if(flavor STREQUAL openmpi AND TUTTI_PMIX_FOUND)
    target_include_directories(${target} SYSTEM PRIVATE ${TUTTI_PMIX_INCLUDE_DIRS})
    target_compile_definitions(${target} PRIVATE TUTTI_HAS_PMIX)
  endif()
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  # By the note of its build ranks know whose library is theirs.
  target_link_options(${target} PRIVATE LINKER:--exclude-libs,ALL LINKER:--build-id)
  # The library is there when the program begins, so that a thread's variables need no call to be found.
  target_compile_options(${target} PRIVATE -ftls-model=initial-exec)
  tutti_warnings(${target})
  tutti_together(${target})
  add_dependencies(programs ${target})
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  set(tutti_preloaded_mpis ${tutti_preloaded_mpis} ${flavor} PARENT_SCOPE)
endfunction()

find_package(PkgConfig)
if(PkgConfig_FOUND)
  tutti_mpi_plugin(openmpi ompi-c)
  tutti_mpi_plugin(mpich mpich)
  pkg_check_modules(TUTTI_PMIX QUIET pmix)
  tutti_preloaded(openmpi ompi-c "Open MPI")
  tutti_preloaded(mpich mpich "MPICH")
endif()

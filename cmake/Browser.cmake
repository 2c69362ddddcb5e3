# The core for a browser: WebAssembly, by Debian's emscripten (cmake --preset explorer).
#
# The libraries that the core needs are headers alone here. They are read from a folder that holds nothing else of /usr/include, whose C library
# is another one. find_package() finds them by the files that are written below, before it looks for libraries of this machine.

set(tutti_header_libraries fmt CLI nlohmann toml++ boost)
set(tutti_headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${tutti_headers})
foreach(library ${tutti_header_libraries})
  if(NOT EXISTS /usr/include/${library})
    message(FATAL_ERROR "the explorer needs the headers in /usr/include/${library}: run scripts/packages demo explorer")
  endif()
  file(CREATE_LINK /usr/include/${library} ${tutti_headers}/${library} SYMBOLIC)
endforeach()

# tutti_header_package(PACKAGE TARGET [definition ...]): find_package(PACKAGE) gives TARGET.
function(tutti_header_package package target)
  set(folder ${CMAKE_FIND_PACKAGE_REDIRECTS_DIR})
  file(WRITE ${folder}/${package}Config.cmake "
if(NOT TARGET ${target})
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE ${tutti_headers})
  target_compile_definitions(${target} INTERFACE ${ARGN})
endif()
set(${package}_INCLUDE_DIRS ${tutti_headers})
")
  file(WRITE ${folder}/${package}ConfigVersion.cmake "set(PACKAGE_VERSION_COMPATIBLE TRUE)\n")
endfunction()

tutti_header_package(fmt fmt::fmt FMT_HEADER_ONLY)
tutti_header_package(CLI11 CLI11::CLI11)
tutti_header_package(nlohmann_json nlohmann_json::nlohmann_json)
tutti_header_package(Boost Boost::headers)
set(TUTTI_TOML_HEADERS ${tutti_headers} CACHE PATH "Headers of toml++")

set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
add_compile_options(-fwasm-exceptions)
add_link_options(-fwasm-exceptions)

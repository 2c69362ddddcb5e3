# Libraries that programs link where tutti is installed: all rooms of the runtime, of the lab and of C in one archive, and in one shared library, which
# hides all but the public interface (TUTTI_API, TUTTI_C_API). The rooms' own archives are for this build alone.

include(GNUInstallDirs)

# Rooms of another build have no objects here.
if(TUTTI_ROOMS_FROM)
  return()
endif()

tutti_rooms_below(tutti_runtime rooms)
tutti_rooms_below(tutti_lab lab_rooms)
list(APPEND rooms ${lab_rooms} tutti_c_interface)
list(REMOVE_DUPLICATES rooms)
set(tutti_objects "")
foreach(room ${rooms})
  get_target_property(kind ${room} TYPE)
  if(NOT kind STREQUAL INTERFACE_LIBRARY)
    list(APPEND tutti_objects $<TARGET_OBJECTS:${room}>)
  endif()
endforeach()

# tutti_library(KIND): the target tutti_static or tutti_shared, installed as tutti::static or tutti::shared.
function(tutti_library kind scope)
  string(TOUPPER ${kind} upper)
  add_library(tutti_${kind} ${upper} ${tutti_objects})
  target_link_libraries(tutti_${kind} ${scope} fmt::fmt Threads::Threads ${CMAKE_DL_LIBS})
  target_include_directories(tutti_${kind} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  target_compile_features(tutti_${kind} INTERFACE cxx_std_20)
  set_target_properties(tutti_${kind} PROPERTIES EXPORT_NAME ${kind} OUTPUT_NAME tutti LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} INSTALL_RPATH "$ORIGIN/tutti")
  add_dependencies(programs tutti_${kind})
endfunction()

tutti_library(static INTERFACE)
tutti_library(shared PRIVATE)
# Templates of the standard library are visible wherever they are used; nobody is to find them here.
target_link_options(tutti_shared PRIVATE LINKER:--exclude-libs,ALL LINKER:--version-script=${CMAKE_CURRENT_LIST_DIR}/tutti.map)
# Symbols that sanitizers add to the code are found in the program alone.
if(NOT TUTTI_SANITIZE)
  target_link_options(tutti_shared PRIVATE LINKER:--no-undefined)
endif()

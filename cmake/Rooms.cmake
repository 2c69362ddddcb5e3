# A room is a folder under src/ and a target of the same name.

# tutti_room(NAME [KNOWS room ...] [LIBRARIES target ...] [OPTIONS option ...] [MPI folder ...] [SEPARATE|BY_FOLDER [ALONE folder ...]] [TUNED] [QUICK] [PLACES] [PURE [STATICS]]):
# every .cpp below src/NAME, linked against the rooms that it may know, compiled with options of its own; one by one if SEPARATE, because files
# use the same names, or if TUNED, because its calls are up to a twentieth slower otherwise; a folder at once if BY_FOLDER, because files of
# different folders use the same names, and in the folders after ALONE one by one.
# QUICK says that nobody waits for what it computes: it is compiled in two thirds of the time.
# PLACES says that its files place values in plain bytes: sanitizers look at every pointer there.
# PURE says that the room, which the runtime needs, has no threads and no plain bytes: with TUTTI_ROOMS_FROM it is that of another build.
# STATICS says that it has static variables made at their first use: the thread sanitizer must see how threads agree on them.
# Files in the folders after MPI include <mpi.h>: they are no part of the target, but of the libraries that cmake/MPI.cmake builds for each MPI.
function(tutti_room name)
  cmake_parse_arguments(ROOM "SEPARATE;BY_FOLDER;TUNED;QUICK;PLACES;PURE;STATICS" "" "KNOWS;LIBRARIES;OPTIONS;MPI;ALONE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  set(mpi_sources)
  foreach(folder ${ROOM_MPI})
    set(in_folder ${sources})
    list(FILTER in_folder INCLUDE REGEX "/${name}/${folder}/")
    list(FILTER sources EXCLUDE REGEX "/${name}/${folder}/")
    list(APPEND mpi_sources ${in_folder})
  endforeach()
  list(TRANSFORM ROOM_KNOWS PREPEND tutti_)
  if(ROOM_PURE AND TUTTI_ROOMS_FROM AND NOT (ROOM_STATICS AND TUTTI_SANITIZE MATCHES thread))
    add_library(tutti_${name} STATIC IMPORTED GLOBAL)
    set_target_properties(tutti_${name} PROPERTIES IMPORTED_LOCATION ${TUTTI_ROOMS_FROM}/src/libtutti_${name}.a)
    set(scope INTERFACE)
  elseif(sources)
    add_library(tutti_${name} STATIC ${sources})
    set(scope PUBLIC)
    target_compile_options(tutti_${name} PRIVATE ${ROOM_OPTIONS})
    tutti_warnings(tutti_${name})
    if(ROOM_PLACES AND TUTTI_SANITIZE MATCHES undefined)
      target_compile_options(tutti_${name} PRIVATE -fsanitize=${tutti_looks_at_pointers})
    endif()
    # The precompiled headers are of libraries that come with the base.
    if(ROOM_QUICK)
      target_compile_options(tutti_${name} PRIVATE ${tutti_quick_to_compile})
      tutti_precompile(tutti_${name} quick_rooms)
    elseif(NOT ROOM_OPTIONS AND (name STREQUAL base OR tutti_base IN_LIST ROOM_KNOWS))
      tutti_precompile(tutti_${name} rooms)
    endif()
    # Speed is no matter with sanitizers.
    if(ROOM_BY_FOLDER)
      tutti_together(tutti_${name} BY_FOLDER ALONE ${ROOM_ALONE})
    elseif(NOT ROOM_SEPARATE AND (TUTTI_SANITIZE OR NOT ROOM_TUNED))
      tutti_together(tutti_${name})
    endif()
    # The shared library shows what TUTTI_API marks.
    set_target_properties(tutti_${name} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  else()
    add_library(tutti_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(tutti_${name} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                             $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  target_link_libraries(tutti_${name} ${scope} ${ROOM_KNOWS} ${ROOM_LIBRARIES})
  # Whoever uses the room compiles its headers, whatever the compiler's own default is.
  target_compile_features(tutti_${name} ${scope} cxx_std_20)
  set_target_properties(tutti_${name} PROPERTIES TUTTI_KNOWS "${ROOM_KNOWS}" TUTTI_MPI_SOURCES "${mpi_sources}")
  get_target_property(imported tutti_${name} IMPORTED)
  if(NOT imported)
    set_target_properties(tutti_${name} PROPERTIES EXPORT_NAME ${name})
  endif()
endfunction()

# tutti_rooms_below(TARGET RESULT): the room, and all rooms that it links directly or through others.
function(tutti_rooms_below target result)
  set(found ${target})
  get_target_property(known ${target} TUTTI_KNOWS)
  foreach(room ${known})
    tutti_rooms_below(${room} below)
    list(APPEND found ${below})
  endforeach()
  list(REMOVE_DUPLICATES found)
  set(${result} ${found} PARENT_SCOPE)
endfunction()

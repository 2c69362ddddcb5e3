# Warnings for our own targets, never for those who use the library.

function(tutti_warnings target)
  # The other builds warn; looking for reasons takes a tenth of the time, and with sanitizers GCC 12 sees some that are none (GCC bug 105562).
  if(TUTTI_SANITIZE)
    target_compile_options(${target} PRIVATE -w)
    return()
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wold-style-cast
                                           -Wnon-virtual-dtor -Woverloaded-virtual)
  # GCC warns of fields that a designated initializer leaves at their defaults, which is what the defaults are for.
  target_compile_options(${target} PRIVATE -Wno-missing-field-initializers)
  # Hints for GCC's vectorizer, which clang does without.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wno-unknown-pragmas>)
  # Numbers of messages have 64 bits where sizes of a page's memory have 32; what is in memory is fewer.
  if(EMSCRIPTEN)
    target_compile_options(${target} PRIVATE -Wno-shorten-64-to-32)
  endif()
  # GCC 12 sees overlapping copies in std::string's operator+ that cannot be (GCC bug 105651).
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  if(TUTTI_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

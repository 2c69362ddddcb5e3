# Compiler of this machine, whose C library does not say that it is GNU's.
set(CMAKE_CXX_COMPILER c++)
set(CMAKE_CXX_FLAGS_INIT "-isystem ${CMAKE_CURRENT_LIST_DIR}/include")

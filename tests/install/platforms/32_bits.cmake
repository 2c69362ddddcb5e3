# Compiler of this machine, which is believed to have addresses of 32 bits.
set(CMAKE_CXX_COMPILER c++)
set(CMAKE_CXX_COMPILER_FORCED TRUE)
set(CMAKE_SIZEOF_VOID_P 4)

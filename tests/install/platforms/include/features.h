/* Features of the C library without its name. */
#include_next <features.h>
#undef __GLIBC__

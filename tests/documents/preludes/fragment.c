// Surroundings of fragments of C on pages: a communicator, buffers, a call, and an operator of the program's.
#include <tutti/tutti.h>

static void then(void* result, const void* left, const void* right, int64_t count, void* state) {
  (void)result, (void)left, (void)right, (void)count, (void)state;
}

void shown(tutti_communicator world, const double* in, double* out, int64_t n, tutti_call_arguments sum);
void shown(tutti_communicator world, const double* in, double* out, int64_t n, tutti_call_arguments sum) {
  (void)then, (void)world, (void)in, (void)out, (void)n, (void)sum;
  {
    // fragment
  }
}

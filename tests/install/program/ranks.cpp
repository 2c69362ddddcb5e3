// All ranks of the job add up their numbers. Under an mpirun they begin again with the heap that ranks share.

#include <dlfcn.h>

#include <cstdio>
#include <string>

std::string sum_in_words();

int main() {
  const std::string words = sum_in_words();
  const bool shares = dlsym(RTLD_DEFAULT, "tutti_heap_arena") != nullptr;
  if (!words.empty()) std::printf("%s, %s heap\n", words.c_str(), shares ? "a shared" : "its own");
}

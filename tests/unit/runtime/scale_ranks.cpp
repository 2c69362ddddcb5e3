// Ranks by the hundred: three collectives, with an argument by algorithms in which a rank has log p partners, and a
// split, and what they cost. The argument names a file that does not exist: rank 0 makes it when it has looked at the
// start, for which the others wait, because who talks first makes memory grow. Rank 0 prints, a line each,
//
//     start N      bytes of shared memory that the run holds when all have joined
//     talked N     the same after the collectives
//     split N      the same after the split, before anything else is called on the new communicator
//     addresses N  bytes of addresses that the rank had at most, before it allocated anything
//     file NAME    each file of shared memory that it has mapped or open

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include "tutti/tutti.hpp"

namespace {

constexpr const char* segment_name = "/memfd:tutti";

bool is_segment(const std::string& name) { return name.starts_with(segment_name); }

/// Bytes that the run's shared memory holds.
long long held() {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code none;
    struct stat status = {};
    if (is_segment(std::filesystem::read_symlink(entry.path(), none)) && stat(entry.path().c_str(), &status) == 0)
      return static_cast<long long>(status.st_blocks) * 512;
  }
  return -1;
}

long long most_addresses() {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    long long kibibytes = 0;
    if (word == "VmPeak:" && file >> kibibytes) return kibibytes * 1024;
  }
  return -1;
}

std::set<std::string> files() {
  std::set<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
    names.insert(std::filesystem::read_symlink(entry.path(), none));
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (const std::size_t at = line.find('/'); at != std::string::npos) names.insert(line.substr(at));
  }
  std::erase_if(names, [](const std::string& name) { return !name.starts_with("/dev/shm") && !is_segment(name); });
  return names;
}

}  // namespace

int main(int words, char** word_list) {
  tutti::Communicator& comm = tutti::world();
  const int p = comm.size();
  const long long start = held();
  const long long addresses = most_addresses();
  const bool is_choosy = words > 1;
  if (is_choosy) {
    const std::filesystem::path looked = word_list[1];
    if (comm.rank() == 0) std::ofstream(looked) << "looked";
    while (!exists(looked)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const auto by = [&](const char* algorithm) {
    return tutti::CollectiveOptions{.algorithm = is_choosy ? algorithm : ""};
  };
  bool is_right = comm.all_reduce(comm.rank(), tutti::sum, by("recursive-doubling")) == p * (p - 1) / 2;
  int word = comm.rank() == 0 ? 17 : 0;
  comm.broadcast(word, 0, by("binomial"));
  is_right = is_right && word == 17;
  comm.barrier(by("dissemination"));
  const long long talked = held();
  comm.barrier(by("dissemination"));
  auto fresh = comm.split(0, -comm.rank());
  const long long split = held();
  is_right = is_right && fresh->rank() == p - 1 - comm.rank();
  if (comm.rank() == 0) {
    std::printf("start %lld\ntalked %lld\nsplit %lld\naddresses %lld\n", start, talked, split, addresses);
    for (const std::string& name : files()) std::printf("file %s\n", name.c_str());
  }
  return is_right ? 0 : 1;
}

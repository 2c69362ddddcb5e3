/// @file
/// What trials have found, in the file of a profile, and who takes the first look at a machine that such a file is of.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/check.hpp"
#include "base/short_file.hpp"
#include "predict/stored_profile.hpp"

namespace tutti {
namespace {

/// Held by one program at a time; the lock's own file stays.
class FileLock {
 public:
  explicit FileLock(const std::string& file)
      : descriptor_(open((file + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    require(descriptor_ >= 0 && flock(descriptor_, LOCK_EX) == 0, "{}.lock cannot be written: {}", file,
            std::strerror(errno));
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock() { close(descriptor_); }

 private:
  int descriptor_;
};

// Whoever reads the file meanwhile finds it as it was.
void replace(const std::string& file, const std::string& text) {
  const std::string fresh = fmt::format("{}.{}", file, getpid());
  {
    std::ofstream stream(fresh, std::ios::binary);
    stream << text;
    require(stream.flush().good(), "{} cannot be written: {}", fresh, std::strerror(errno));
  }
  std::error_code error;
  std::filesystem::rename(fresh, file, error);
  require(!error, "{} cannot be written: {}", file, error.message());
}

}  // namespace

std::vector<WisdomEntry> recall_all() {
  const std::string file = own_profile_file();
  std::error_code none;
  if (file.empty() || !std::filesystem::exists(file, none)) return {};
  try {
    return profile_of_this_machine(file).wisdom;
  } catch (const Error&) {
    return {};  // who looked for the profile has said what is wrong with it
  }
}

std::optional<WisdomEntry> recall_entry(const std::string& call) {
  const std::vector<WisdomEntry> all = recall_all();
  const auto found = std::find_if(all.begin(), all.end(), [&](const WisdomEntry& entry) { return entry.call == call; });
  return found == all.end() ? std::nullopt : std::optional(*found);
}

void keep_entry(const std::string& file, const WisdomEntry& entry) {
  std::error_code none;  // what is wrong shows when the file is written
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), none);
  const FileLock lock(file);
  StoredProfile profile{.machine = machine_identity(), .tutti = TUTTI_VERSION};
  if (std::filesystem::exists(file, none)) profile = profile_of_this_machine(file);
  std::erase_if(profile.wisdom, [&](const WisdomEntry& known) { return known.call == entry.call; });
  if (profile.wisdom.size() >= most_wisdom) profile.wisdom.erase(profile.wisdom.begin());
  profile.wisdom.push_back(entry);
  replace(file, text_of(profile));
}

bool claim_first_use(const std::string& file, const std::string& first_use) {
  const FileLock lock(file);
  StoredProfile profile = profile_of_this_machine(file);
  if (profile.processes || !profile.first_use.empty()) return false;
  profile.first_use = first_use;
  replace(file, text_of(profile));
  return true;
}

}  // namespace tutti

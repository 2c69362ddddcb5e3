/// @file
/// Changes of a profile's file, by several programs at a time: findings of trials, measurements, and the right to take
/// the first look at a machine.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <thread>
#include <utility>

#include "base/check.hpp"
#include "base/text/short_file.hpp"
#include "predict/profile/stored_profile.hpp"
#include "tutti/version.h"

namespace tutti {
namespace {

/// The name of the file that is locked instead of that one. Devices and folders are never replaced, nor locked.
std::string lock_of(const std::string& file) {
  std::error_code none;
  const std::filesystem::file_status status = std::filesystem::status(file, none);
  require(!std::filesystem::exists(status) || std::filesystem::is_regular_file(status),
          "{} is no regular file, which a profile has to be; name another", file);
  return file + ".lock";
}

/// Returns numbers that tell one version of a file from the next, which replaces it as a whole; zeros if there is none.
std::array<std::int64_t, 3> version_of(const std::string& file) {
  struct stat status = {};
  if (stat(file.c_str(), &status) != 0) return {};
  return {static_cast<std::int64_t>(status.st_ino), status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

/// Held by one program at a time; the lock's own file stays. Programs hold it while they read and write a profile,
/// which takes no seconds: who waits for longer, while the profile stays as it is, waits for one that has been stopped.
class FileLock {
 public:
  explicit FileLock(const std::string& file)
      : descriptor_(open(lock_of(file).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    require(descriptor_ >= 0, "{}.lock cannot be written: {}", file, std::strerror(errno));
    auto end = std::chrono::steady_clock::now() + most_time;
    auto version = version_of(file);
    while (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const int why = errno;
      const bool is_held = why == EWOULDBLOCK || why == EINTR;
      if (const auto now = version_of(file); now != version) {  // others wait as well, and get on
        version = now;
        end = std::chrono::steady_clock::now() + most_time;
      }
      if (is_held && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        continue;
      }
      close(descriptor_);
      require(!is_held, "{} cannot be changed: another program has held {}.lock for {} s; end that one", file, file,
              most_time.count());
      fail(ErrorCode::invalid_argument, "{}.lock cannot be locked: {}", file, std::strerror(why));
    }
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock() { close(descriptor_); }

 private:
  static constexpr std::chrono::seconds most_time{10};
  int descriptor_;
};

/// A file beside the one that it is to replace. It is removed unless it does.
class Successor {
 public:
  Successor(std::string file, const std::string& text)
      : file_(std::move(file)), fresh_(fmt::format("{}.{}", file_, getpid())) {
    if (!put_in_file(fresh_, text)) give_up(errno);
    keep_permissions(file_, fresh_);
  }
  Successor(const Successor&) = delete;
  Successor& operator=(const Successor&) = delete;
  ~Successor() {
    if (!has_replaced_) std::remove(fresh_.c_str());
  }
  /// Whoever reads the file meanwhile finds it as it was.
  void take_its_place() {
    if (std::rename(fresh_.c_str(), file_.c_str()) != 0) give_up(errno);
    has_replaced_ = true;
  }

 private:
  [[noreturn]] void give_up(int why) const {
    std::remove(fresh_.c_str());
    fail(ErrorCode::invalid_argument, "{} cannot be written: {}", file_, std::strerror(why));
  }

  std::string file_;
  std::string fresh_;
  bool has_replaced_ = false;
};

void replace(const std::string& file, const std::string& text) { Successor(file, text).take_its_place(); }

/// The profile's text, without the oldest winners where there are more of them than a profile has, or where the text
/// would be too long to be read again. The profile loses them, too.
std::string text_to_keep(StoredProfile& profile) {
  std::vector<WisdomEntry>& wisdom = profile.wisdom;
  const auto forget = [&](std::size_t oldest) {
    wisdom.erase(wisdom.begin(), wisdom.begin() + static_cast<std::ptrdiff_t>(oldest));
  };
  if (wisdom.size() > most_wisdom) forget(wisdom.size() - most_wisdom);
  std::string text = text_of(profile);
  while (static_cast<std::int64_t>(text.size()) > most_bytes_of_short_file && !wisdom.empty()) {
    forget((wisdom.size() + 1) / 2);
    text = text_of(profile);
  }
  return text;
}

/// Gives the file another name, which no file has, and returns that.
std::string set_aside(const std::string& file) {
  std::error_code error;
  std::string other = file + ".old";
  for (int k = 2; std::filesystem::exists(other, error); ++k) other = fmt::format("{}.old{}", file, k);
  std::filesystem::rename(file, other, error);
  require(!error, "{} cannot be kept as {}: {}", file, other, error.message());
  return other;
}

bool is_there(const std::string& file) {
  std::error_code none;
  return std::filesystem::exists(file, none);
}

}  // namespace

ChangedProfile change_profile(const std::string& file, const std::function<void(StoredProfile&)>& change) {
  const std::string target = end_of_links(file);
  const FileLock lock(target);
  ChangedProfile changed{.profile = {.machine = machine_identity(), .tutti = TUTTI_VERSION}, .set_aside = {}};
  try {
    if (is_there(target)) changed.profile = profile_of_this_machine(target);
  } catch (const Error& error) {
    changed.set_aside = error.what();
  }
  changed.profile.tutti = TUTTI_VERSION;
  change(changed.profile);
  Successor successor(target, text_to_keep(changed.profile));
  if (!changed.set_aside.empty()) changed.set_aside += fmt::format("; it is kept as {}", set_aside(target));
  successor.take_its_place();
  return changed;
}

std::vector<WisdomEntry> recall_all(const std::string& administrator) {
  std::vector<WisdomEntry> all;
  for (const std::string& file : profile_files(administrator)) {
    try {
      const StoredProfile stored = profile_of_this_machine(file);
      all.insert(all.begin(), stored.wisdom.begin(), stored.wisdom.end());
    } catch (const Error&) {
      continue;  // the search for the profile has reported what is wrong with it
    }
  }
  return all;
}

std::optional<WisdomEntry> recall_entry(const std::string& call) {
  const std::vector<WisdomEntry> all = recall_all();
  const auto found =
      std::find_if(all.rbegin(), all.rend(), [&](const WisdomEntry& entry) { return entry.call == call; });
  return found == all.rend() ? std::nullopt : std::optional(*found);
}

void keep_entry(const std::string& file, const WisdomEntry& entry) {
  const std::string target = end_of_links(file);
  const std::error_code error = make_folder_for(target);
  require(!error, "the folder of {} cannot be made: {}", target, error.message());
  const FileLock lock(target);
  StoredProfile profile{.machine = machine_identity(), .tutti = TUTTI_VERSION};
  if (is_there(target)) profile = profile_of_this_machine(target);
  std::erase_if(profile.wisdom, [&](const WisdomEntry& known) { return known.call == entry.call; });
  profile.wisdom.push_back(entry);
  replace(target, text_to_keep(profile));
}

bool claim_first_use(const std::string& file, Transport transport, const std::string& first_use) {
  const std::string target = end_of_links(file);
  const FileLock lock(target);
  StoredProfile profile = profile_of_this_machine(target);
  if (profile.measured[transport] || !profile.first_use[transport].empty()) return false;
  profile.first_use[transport] = first_use;
  replace(target, text_to_keep(profile));
  return true;
}

}  // namespace tutti

#include "transport/processes/segment_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "heap/memory.hpp"
#include "heap/pages.hpp"

namespace tutti::runtime {
namespace {

using heap::page;

struct flock lock_of(off_t byte) {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = 1;
  return lock;
}

}  // namespace

SegmentFile::SegmentFile(int number) : number_(number) {
  struct stat status = {};
  if (fstat(number, &status) != 0) return;
  device_ = status.st_dev;
  inode_ = status.st_ino;
}

SegmentFile::SegmentFile(SegmentFile&& other) noexcept
    : number_(std::exchange(other.number_, -1)), device_(other.device_), inode_(other.inode_) {}

SegmentFile& SegmentFile::operator=(SegmentFile&& other) noexcept {
  std::swap(number_, other.number_);
  std::swap(device_, other.device_);
  std::swap(inode_, other.inode_);
  return *this;
}

SegmentFile::~SegmentFile() {
  if (is_ours()) close(number_);
}

bool SegmentFile::is_ours() const noexcept {
  struct stat status = {};
  return number_ >= 0 && fstat(number_, &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

int moved_up(int number, Inheritance inheritance) noexcept {
  constexpr rlim_t room = 64;  // for runs within runs
  return heap::moved_up(number, inheritance == Inheritance::closed ? F_DUPFD_CLOEXEC : F_DUPFD, room);
}

bool LastingLock::take(const SegmentFile& file, off_t byte) {
  const int own = open(("/proc/self/fd/" + std::to_string(file.number())).c_str(), O_RDWR | O_CLOEXEC);
  if (own < 0) return false;
  struct flock lock = lock_of(byte);
  if (fcntl(own, F_OFD_SETLK, &lock) == 0) {
    void* const memory = mmap(nullptr, page, PROT_NONE, MAP_SHARED, own, 0);
    if (memory != MAP_FAILED) {
      madvise(memory, page, MADV_DONTFORK);
      madvise(memory, page, MADV_DONTDUMP);
      page_.reset(memory);
    }
  }
  close(own);
  return page_ != nullptr;
}

bool LastingLock::is_taken(const SegmentFile& file, off_t byte) {
  struct flock lock = lock_of(byte);
  return fcntl(file.number(), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

void LastingLock::Unmap::operator()(void* page_address) const noexcept { munmap(page_address, page); }

}  // namespace tutti::runtime

#include "transport/processes/segment_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "base/check.hpp"
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

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

/// The pages that lie in the memory as a whole; there may be none.
std::span<std::byte> whole_pages(std::byte* memory, std::size_t bytes) {
  const std::size_t each = page_size();
  const std::size_t skipped = (each - reinterpret_cast<std::size_t>(memory) % each) % each;
  if (skipped >= bytes) return {memory, 0};
  return {memory + skipped, (bytes - skipped) / each * each};
}

/// 0, or the error.
int allocate(int file, std::size_t offset, std::size_t bytes) {
  int error = 0;
  do {
    error = fallocate(file, 0, static_cast<off_t>(offset), static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  } while (error == EINTR);
  return error;
}

/// Populates memory by address; EINVAL if the system cannot, or lets nobody ask it for that: filters of system calls
/// answer with errors of their own.
int populate(std::byte* memory, std::size_t bytes) {
  const std::size_t before = reinterpret_cast<std::size_t>(memory) % page_size();
  int error = 0;
  do {
    error = madvise(memory - before, before + bytes, MADV_POPULATE_WRITE) == 0 ? 0 : errno;
  } while (error == EINTR || error == EAGAIN);
  if (error == EPERM || error == EACCES || error == ENOSYS) return EINVAL;
  if (error == 0 || error == EINVAL) return error;
  // Pages that came before the memory was used up go back: they are zero, as nothing is held there yet.
  if (const std::span<std::byte> pages = whole_pages(memory, bytes); !pages.empty()) {
    madvise(pages.data(), pages.size(), MADV_REMOVE);
  }
  return error == EFAULT ? ENOSPC : error;  // a touch of the page would have killed the process
}

/// Shared memory without a name has no limit of its own, and the system ends processes where it runs out: so what is
/// large is only asked for where the machine has it to give.
bool may_ask_for(std::size_t bytes) {
  constexpr std::size_t small = std::size_t{64} << 20;
  return bytes < small || heap::has_memory_for(bytes);
}

void require_pages(int error, std::size_t bytes) {
  if (error == 0) return;
  const std::size_t kibibytes = (bytes + 1023) / 1024;
  if (error == ENOSPC || error == ENOMEM)
    fail(ErrorCode::unsupported,
         "the machine has no room for {} KiB of shared memory: free memory, or raise the limit of this container",
         kibibytes);
  if (error == EBADF)
    fail(ErrorCode::unsupported,
         "no more shared memory: the program has closed tutti's descriptor, which this version of Linux needs: leave "
         "descriptors alone that the program has not opened");
  fail(ErrorCode::unsupported,
       "the system cannot reserve {} KiB of shared memory ({}): free memory, or run fewer ranks", kibibytes,
       std::generic_category().message(error));
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

void reserve_file(int file, std::size_t offset, std::size_t bytes) {
  require_pages(may_ask_for(bytes) ? allocate(file, offset, bytes) : ENOMEM, bytes);
}

void reserve_pages(const SegmentFile& file, std::size_t offset, std::byte* memory, std::size_t bytes) {
  if (bytes == 0) return;
  int error = may_ask_for(bytes) ? populate(memory, bytes) : ENOMEM;
  if (error == EINVAL) error = file.is_ours() ? allocate(file.number(), offset, bytes) : EBADF;
  require_pages(error, bytes);
}

void give_back_pages(std::byte* memory, std::size_t bytes) noexcept {
  const std::span<std::byte> pages = whole_pages(memory, bytes);
  // Refused where the program has locked its memory, for instance.
  const bool given = !pages.empty() && madvise(pages.data(), pages.size(), MADV_REMOVE) == 0;
  if (!given) {
    std::memset(memory, 0, bytes);
    return;
  }
  std::byte* const end = pages.data() + pages.size();
  std::memset(memory, 0, static_cast<std::size_t>(pages.data() - memory));
  std::memset(end, 0, static_cast<std::size_t>(memory + bytes - end));
}

void drop_pages(std::byte* memory, std::size_t bytes) noexcept {
  const std::span<std::byte> pages = whole_pages(memory, bytes);
  if (!pages.empty()) madvise(pages.data(), pages.size(), MADV_REMOVE);
}

}  // namespace tutti::runtime

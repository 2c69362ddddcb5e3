/// @file
/// The file of a segment: its descriptor, how to know that it still is one, and memory there before it is touched.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>

namespace tutti::runtime {

/// An open descriptor, and which file it was when it was given. A program may close descriptors that it has not opened,
/// and open files of its own under their numbers: who uses the number asks `is_ours` first.
class SegmentFile {
 public:
  /// Owns the descriptor.
  explicit SegmentFile(int number);
  SegmentFile(SegmentFile&& other) noexcept;
  SegmentFile& operator=(SegmentFile&& other) noexcept;
  SegmentFile(const SegmentFile&) = delete;
  SegmentFile& operator=(const SegmentFile&) = delete;
  /// Closes the descriptor if it still is the file's.
  ~SegmentFile();

  int number() const { return number_; }
  /// Whether the number still stands for the file.
  bool is_ours() const noexcept;

 private:
  int number_ = -1;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

/// Whether programs that a process starts inherit a descriptor.
enum class Inheritance { inherited, closed };

/// Moves a descriptor to a high number, where scripts and programs that count from 3 do not come upon it; where there
/// is none, it stays. Returns the number.
int moved_up(int number, Inheritance inheritance) noexcept;

/// A lock on one byte of a file that lasts as long as this process, whatever becomes of its descriptors.
///
/// The lock belongs to an open file description of its own, which nothing but a mapping of one page keeps open.
/// Children do not inherit the mapping. So the system takes the lock back when this process ends, however that happens;
/// a process number would say less, because numbers are used again and mean something else in another namespace.
class LastingLock {
 public:
  LastingLock() = default;

  /// False where another process has the lock, or the system has no /proc.
  bool take(const SegmentFile& file, off_t byte);
  /// Whether a process has a lasting lock on that byte.
  static bool is_taken(const SegmentFile& file, off_t byte);

 private:
  struct Unmap {
    void operator()(void* page) const noexcept;
  };
  std::unique_ptr<void, Unmap> page_;
};

/// Gives a file that this process has just made pages for so many bytes from `offset` on, so that touching them cannot
/// fail. Throws `Error(unsupported)` where the memory is used up.
void reserve_file(int file, std::size_t offset, std::size_t bytes);

/// Gives [memory, memory + bytes), which holds nothing yet and maps the file from `offset` on, pages, so that touching
/// them cannot fail; those that are there stay as they are, new ones are zero. Goes by address where the system can
/// (Linux 5.14 and later), and needs the descriptor elsewhere.
/// Throws `Error(unsupported)` where the memory is used up, and then changes nothing.
void reserve_pages(const SegmentFile& file, std::size_t offset, std::byte* memory, std::size_t bytes);

/// Makes [memory, memory + bytes) of a shared file read as zero, and takes pages that lie in it as a whole from the
/// file again, where the system allows it. Goes by address.
void give_back_pages(std::byte* memory, std::size_t bytes) noexcept;

/// Takes pages that lie in [memory, memory + bytes) as a whole from the file, where the system allows it; all of it is
/// zero already.
void drop_pages(std::byte* memory, std::size_t bytes) noexcept;

}  // namespace tutti::runtime

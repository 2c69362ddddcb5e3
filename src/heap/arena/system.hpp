/// @file
/// System calls of the shared heap. Nothing here allocates.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tutti::heap {

/// Returns how many bytes of addresses an arena may have: four times the machine's memory, a small part of what the
/// process is limited to, and none if that part would be little: the program may need just these.
std::size_t most_addresses() noexcept;
/// Reserves the first bytes of so many that lie far from all that the system maps by itself, so that those that follow
/// can be had later; 0 if there are no such. See reserve_addresses().
std::uintptr_t reserve_lonely_addresses(std::size_t first, std::size_t bytes, std::size_t alignment) noexcept;
/// Reserves exactly these addresses; false where one of them is in use.
bool reserve_there(std::byte* memory, std::size_t bytes) noexcept;
/// Zeroed pages of this process; null where there are none.
std::byte* own_pages(std::size_t bytes) noexcept;
/// A zeroed page that this process and those that it forks have in common; null where there is none.
std::byte* common_page() noexcept;
/// This process has no more use for such a page.
void give_page_back(void* common) noexcept;

std::uint64_t random_number() noexcept;
/// A file without a name that cannot shrink, of that many bytes and a page behind them that begins with the number; -1
/// where the system has none. Other users cannot open it, and programs do not inherit it.
int make_sealed_file(std::size_t bytes, std::uint64_t number) noexcept;
/// Tells one file from another; false for a number that is no open file's.
bool identity_of(int file, std::uint64_t& device, std::uint64_t& inode) noexcept;

/// Maps a part of the file, or zeroed pages of this process's own, where something is mapped already; false where the
/// system refuses.
bool map_file(std::byte* memory, std::size_t bytes, int file, std::size_t offset) noexcept;
bool map_own(std::byte* memory, std::size_t bytes) noexcept;
/// Moves a mapping to other addresses; null where the system refuses.
std::byte* move_aside(std::byte* memory, std::size_t bytes) noexcept;
/// Gives the memory, which maps the file from `offset` on, all its pages; false where the system has too few.
bool take_pages(std::byte* memory, std::size_t bytes, int file, std::size_t offset) noexcept;
/// Reads what the file holds there into zeroed memory, and leaves out its holes.
bool read_file(int file, std::size_t offset, std::byte* to, std::size_t bytes) noexcept;

/// Bytes of pages that the file has; 0 where it is none.
std::size_t bytes_held_by(int file) noexcept;
/// Whether all memory of the machine is as near to all of its cores (NUMA).
bool memory_has_one_node() noexcept;
/// Whether the system promises no more memory than it has (vm.overcommit_memory = 2).
bool overcommit_is_strict() noexcept;

/// One line on standard error.
void say(const char* words) noexcept;
/// Ends the process with that line.
[[noreturn]] void give_up(const char* words) noexcept;

inline constexpr std::size_t large_page = std::size_t{2} << 20;

/// Gives the memory large pages wherever a whole one fits and nothing has been touched yet: its small pages would cost
/// a fault each, twelve times as much in all. Memory that has pages stays as it is, because to copy it costs what it
/// saves. The memory maps a file of memory, and offsets there and addresses are alike in a large page. Does nothing
/// where the system has no large pages to give.
void take_large_pages(std::byte* memory, std::size_t bytes) noexcept;

}  // namespace tutti::heap

// Worlds, groups and memory of the C interface.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "c_interface/objects.hpp"
#include "c_interface/status.hpp"
#include "tutti/tutti.h"
#include "tutti/world.hpp"

namespace tutti::c_interface {

Communicator& communicator_of(tutti_communicator communicator, std::string_view function) {
  require(communicator != nullptr,
          "{}: the communicator is NULL: take one of tutti_world(), tutti_join() or tutti_run()", function);
  return *communicator->communicator;
}

namespace {

/// Exchange of texts of any length by one of bytes of one length: first the lengths, then the texts, filled up.
class PaddedExchange {
 public:
  PaddedExchange(int size, tutti_exchange exchange, void* user) : size_(size), exchange_(exchange), user_(user) {}

  std::vector<std::string> operator()(const std::string& mine) const {
    std::vector<std::uint64_t> lengths(ranks());
    const std::uint64_t length = mine.size();
    call(&length, lengths.data(), sizeof(length));
    const std::size_t longest = *std::max_element(lengths.begin(), lengths.end());
    require(longest <= most, "tutti_join: the exchange tells of a text of {} bytes, which no rank has", longest);
    if (longest == 0) return std::vector<std::string>(ranks());
    std::string padded = mine;
    padded.resize(longest);
    std::string all(longest * ranks(), '\0');
    call(padded.data(), all.data(), longest);
    std::vector<std::string> texts;
    for (std::size_t rank = 0; rank < ranks(); ++rank)
      texts.push_back(all.substr(rank * longest, static_cast<std::size_t>(lengths[rank])));
    return texts;
  }

 private:
  static constexpr std::size_t most = 1 << 20;  // longer than any text of join()

  std::size_t ranks() const { return static_cast<std::size_t>(size_); }
  void call(const void* mine, void* all, std::size_t size) const {
    if (const int status = exchange_(mine, all, size, user_); status != 0)
      throw CallbackFailure(fmt::format("tutti_join: the exchange has returned {}", status));
  }

  int size_;
  tutti_exchange exchange_;
  void* user_;
};

/// The communicator of the job, which lasts as long as the process.
tutti_communicator_object*& world_object() {
  static tutti_communicator_object* object = nullptr;
  return object;
}

/// Owners of the memory that programs have allocated, by its address.
struct Owners {
  std::mutex mutex;
  std::map<void*, Memory<std::byte>> all;
};
Owners& owners() {
  static auto& kept = *new Owners;
  return kept;
}

std::atomic<const char* (*)()> look_of_program = nullptr;

std::string look_by_program() {
  const auto look = look_of_program.load();
  const char* const text = look == nullptr ? nullptr : look();
  return text == nullptr ? std::string() : std::string(text);
}

}  // namespace
}  // namespace tutti::c_interface

using namespace tutti::c_interface;

tutti_status tutti_world(tutti_communicator* world) {
  return guarded([&] {
    require_pointer(world, "tutti_world", "the pointer to the communicator");
    tutti::Communicator& all = tutti::world();
    tutti_communicator_object*& object = world_object();
    if (object == nullptr) object = new tutti_communicator_object(all);
    *world = object;
  });
}

tutti_status tutti_finalize(void) {
  return guarded([] { tutti::finalize(); });
}

tutti_status tutti_join(int32_t rank, int32_t size, tutti_exchange exchange, void* user, tutti_communicator* joined) {
  return guarded([&] {
    require_pointer(reinterpret_cast<const void*>(exchange), "tutti_join", "the exchange");
    require_pointer(joined, "tutti_join", "the pointer to the communicator");
    *joined = new tutti_communicator_object(tutti::join(rank, size, PaddedExchange(size, exchange, user)));
  });
}

tutti_status tutti_run(int32_t ranks, tutti_rank_function rank, void* user) {
  return guarded([&] {
    require_pointer(reinterpret_cast<const void*>(rank), "tutti_run", "the function of a rank");
    tutti::run(ranks, [&](tutti::Communicator& comm) {
      tutti_communicator_object object(comm);
      const tutti_status status = rank(&object, user);
      if (status != TUTTI_OK) throw_status(status, "function of a rank");
    });
  });
}

tutti_status tutti_abandon(tutti_communicator communicator, const char* text) {
  return guarded([&] {
    require_pointer(text, "tutti_abandon", "the text");
    if (communicator == nullptr || communicator == world_object()) {
      tutti::abandon(text);
    } else {
      tutti::require(communicator->joined.has_value(),
                     "tutti_abandon: the communicator is only part of a world: pass that of tutti_join() or "
                     "tutti_world()");
      communicator->joined->abandon(text);
    }
  });
}

tutti_status tutti_interrupt_waits_by(const char* (*look)(void)) {
  return guarded([&] {
    look_of_program = look;
    tutti::interrupt_waits_by(look == nullptr ? nullptr : look_by_program);
  });
}

int32_t tutti_rank(tutti_communicator communicator) {
  return communicator == nullptr ? -1 : communicator->communicator->rank();
}

int32_t tutti_size(tutti_communicator communicator) {
  return communicator == nullptr ? -1 : communicator->communicator->size();
}

tutti_status tutti_split(tutti_communicator communicator, int32_t color, int32_t key, tutti_communicator* part) {
  return guarded([&] {
    tutti::Communicator& comm = communicator_of(communicator, "tutti_split");
    require_pointer(part, "tutti_split", "the pointer to the part");
    std::optional<tutti::Communicator> own = comm.split(color, key);
    *part = own ? new tutti_communicator_object(std::move(*own)) : nullptr;
  });
}

tutti_status tutti_split_by_node(tutti_communicator communicator, tutti_communicator* node) {
  return guarded([&] {
    tutti::Communicator& comm = communicator_of(communicator, "tutti_split_by_node");
    require_pointer(node, "tutti_split_by_node", "the pointer to the part");
    *node = new tutti_communicator_object(comm.split_by_node());
  });
}

tutti_status tutti_duplicate(tutti_communicator communicator, tutti_communicator* copy) {
  return guarded([&] {
    tutti::Communicator& comm = communicator_of(communicator, "tutti_duplicate");
    require_pointer(copy, "tutti_duplicate", "the pointer to the copy");
    *copy = new tutti_communicator_object(comm.duplicate());
  });
}

tutti_status tutti_free(tutti_communicator* communicator) {
  return guarded([&] {
    require_pointer(communicator, "tutti_free", "the pointer to the communicator");
    tutti_communicator_object* const object = std::exchange(*communicator, nullptr);
    if (object == nullptr || object == world_object()) return;
    tutti::require(object->own.has_value() || object->joined.has_value(),
                   "tutti_free: the communicator is that of tutti_run(), which frees it");
    const std::unique_ptr<tutti_communicator_object> owned(object);
    if (object->joined) object->joined->leave();
  });
}

tutti_status tutti_set_timeout(tutti_communicator communicator, double seconds) {
  return guarded(
      [&] { communicator_of(communicator, "tutti_set_timeout").set_timeout(std::chrono::duration<double>(seconds)); });
}

tutti_status tutti_allocate(tutti_communicator communicator, size_t bytes, void** memory) {
  return guarded([&] {
    tutti::Communicator& comm = communicator_of(communicator, "tutti_allocate");
    require_pointer(memory, "tutti_allocate", "the pointer to the memory");
    // Distinct addresses for all, also for those of no bytes.
    auto made = comm.allocate<std::byte>(std::max<std::size_t>(bytes, 1));
    void* const address = made.data();
    const std::lock_guard lock(owners().mutex);
    owners().all.insert_or_assign(address, std::move(made));
    *memory = address;
  });
}

tutti_status tutti_free_memory(void* memory) {
  return guarded([&] {
    if (memory == nullptr) return;
    tutti::Memory<std::byte> freed;
    const std::lock_guard lock(owners().mutex);
    const auto at = owners().all.find(memory);
    tutti::require(at != owners().all.end(), "tutti_free_memory: {} is not of tutti_allocate(), or has been freed",
                   memory);
    freed = std::move(at->second);
    owners().all.erase(at);
  });
}

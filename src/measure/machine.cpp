#include "measure/machine.hpp"

#include <fmt/format.h>
#include <hwloc.h>
#include <sys/utsname.h>

#include <algorithm>
#include <memory>

#include "base/check.hpp"
#include "base/system/control_groups.hpp"
#include "base/units.hpp"

namespace tutti::measure {
namespace {

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

/// Returns the topology that hwloc finds, once.
hwloc_topology_t topology() {
  static const auto found = [] {
    hwloc_topology_t loaded = nullptr;
    require(hwloc_topology_init(&loaded) == 0, "hwloc cannot begin: is there memory left?");
    // Its component for x86 moves the caller from core to core to ask each of them: ranks that all come from the last
    // one stay there together, and are then measured on one core. Linux knows the same without that.
    hwloc_topology_set_components(loaded, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
    require(hwloc_topology_load(loaded) == 0, "hwloc cannot say what this machine is: is /sys mounted?");
    return std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>(loaded, hwloc_topology_destroy);
  }();
  return found.get();
}

std::int64_t cache_bytes(hwloc_obj_type_t level, std::int64_t otherwise) {
  const hwloc_obj_t cache = hwloc_get_obj_by_type(topology(), level, 0);
  return cache == nullptr || cache->attr->cache.size == 0 ? otherwise
                                                          : static_cast<std::int64_t>(cache->attr->cache.size);
}

std::string processor() {
  const hwloc_obj_t package = hwloc_get_obj_by_type(topology(), HWLOC_OBJ_PACKAGE, 0);
  const char* const model = package == nullptr ? nullptr : hwloc_obj_get_info_by_name(package, "CPUModel");
  return model == nullptr ? "unknown processor" : model;
}

}  // namespace

int cores() {
  const std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> allowed(hwloc_bitmap_alloc(), hwloc_bitmap_free);
  if (hwloc_get_cpubind(topology(), allowed.get(), HWLOC_CPUBIND_PROCESS) != 0)
    return std::max(1, hwloc_get_nbobjs_by_type(topology(), HWLOC_OBJ_PU));
  return std::max(1, hwloc_bitmap_weight(allowed.get()));
}

std::int64_t shared_cache_bytes() { return cache_bytes(HWLOC_OBJ_L3CACHE, 32 * mebibyte); }
std::int64_t own_cache_bytes() { return cache_bytes(HWLOC_OBJ_L2CACHE, mebibyte); }

std::int64_t memory_bytes() {
  const auto all = static_cast<std::int64_t>(hwloc_get_root_obj(topology())->total_memory);
  return std::min(all, memory_limit().value_or(all));
}

std::string machine_in_words() {
  utsname system{};
  uname(&system);
  return fmt::format("{}, {}, {} of cache each and {} shared, {} {}", processor(), counted(cores(), "core"),
                     text_of(Bytes{own_cache_bytes()}), text_of(Bytes{shared_cache_bytes()}), system.sysname,
                     system.release);
}

}  // namespace tutti::measure

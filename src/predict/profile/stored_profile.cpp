#include "predict/profile/stored_profile.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/check.hpp"
#include "base/digest.hpp"
#include "base/system/environment.hpp"
#include "base/text/json.hpp"
#include "base/text/short_file.hpp"
#include "base/units.hpp"
#include "tutti/version.h"

namespace tutti {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* form = "tutti_profile";

Json json_of(const MachineCosts& costs) {
  Json json;
  for (const CostField& field : cost_fields()) json[std::string(field.name)] = costs.*field.value;
  return json;
}

Json json_of(const MeasuredCosts& measured) {
  Json json{{"costs", json_of(measured.costs)}};
  if (measured.on_shared_cores) json["on_shared_cores"] = json_of(*measured.on_shared_cores);
  json["median_error"] = measured.median_error;
  json["worst_error"] = measured.worst_error;
  json["observations"] = measured.observations;
  return json;
}

double number_in(const nlohmann::json& object, const std::string& key, double most, const std::string& name) {
  const auto found = object.find(key);
  require(found != object.end() && found->is_number(), "{}: it has no number '{}'; measure again: tutti tune", name,
          key);
  const double value = found->get<double>();
  require(std::isfinite(value) && value >= 0 && value <= most,
          "{}: '{}' is {}, which no machine has (0 to {}); measure again: tutti tune", name, key, value, most);
  return value;
}

std::string word_in(const nlohmann::json& object, const std::string& key, const std::string& name) {
  const auto found = object.find(key);
  require(found != object.end() && found->is_string(), "{}: it has no word '{}'; measure again: tutti tune", name, key);
  return found->get<std::string>();
}

// Compares two versions as "1.12.3", number by number.
bool is_newer(std::string_view version, std::string_view than) {
  const auto take = [](std::string_view& text) {
    int number = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
    text.remove_prefix(std::min(static_cast<std::size_t>(end - text.data()) + 1, text.size()));
    return number;
  };
  while (!version.empty() || !than.empty()) {
    const int here = take(version);
    const int there = take(than);
    if (here != there) return here > there;
  }
  return false;
}

/// Profiles of version 2 know nothing of these two parts: by them all messages cost alike, wherever their ranks are.
bool is_of_version_3(const CostField& field) {
  return field.value == &MachineCosts::further || field.value == &MachineCosts::alone;
}

MachineCosts costs_in(const nlohmann::json& transport, const std::string& key, const MachineCosts& built_in,
                      std::int64_t version, const std::string& name) {
  require(transport.is_object() && transport.contains(key) && transport[key].is_object(),
          "{}: a transport has no '{}'; measure again: tutti tune", name, key);
  MachineCosts costs = built_in;
  for (const CostField& field : cost_fields()) {
    costs.*field.value = version == 2 && is_of_version_3(field)
                             ? 1
                             : number_in(transport[key], std::string(field.name), field.most(), name);
  }
  const bool says_something = std::any_of(cost_fields().begin(), cost_fields().end(), [&](const CostField& field) {
    return field.kind != CostField::Kind::part && costs.*field.value > 0;
  });
  require(says_something, "{}: all costs of a transport are 0; measure again: tutti tune", name);
  return costs;
}

MeasuredCosts measured_costs_in(const nlohmann::json& object, const MachineCosts& built_in, std::int64_t version,
                                const std::string& name) {
  MeasuredCosts measured{.costs = costs_in(object, "costs", built_in, version, name)};
  if (object.contains("on_shared_cores"))
    measured.on_shared_cores = costs_in(object, "on_shared_cores", built_in, version, name);
  constexpr double most = 1e9;
  measured.median_error = number_in(object, "median_error", most, name);
  measured.worst_error = number_in(object, "worst_error", most, name);
  measured.observations = static_cast<int>(number_in(object, "observations", most, name));
  return measured;
}

Json json_of(const WisdomEntry& entry) {
  return Json{{"call", entry.call},   {"algorithm", entry.algorithm}, {"segments", entry.segments},
              {"radix", entry.radix}, {"grid", entry.grid},           {"seconds", entry.seconds}};
}

WisdomEntry entry_in(const nlohmann::json& object, const std::string& name) {
  require(object.is_object(), "{}: an entry of its wisdom is no object; leave it out, or measure again: tutti tune",
          name);
  constexpr double most = 1 << 20;
  constexpr double most_seconds = 1e6;
  WisdomEntry entry{.call = word_in(object, "call", name), .algorithm = word_in(object, "algorithm", name)};
  entry.segments = static_cast<int>(number_in(object, "segments", most, name));
  if (object.contains("radix")) entry.radix = static_cast<int>(number_in(object, "radix", most, name));
  entry.seconds = number_in(object, "seconds", most_seconds, name);
  const auto grid = object.find("grid");
  require(grid != object.end() && grid->is_array() && grid->size() <= 3,
          "{}: a wisdom has no 'grid'; measure again: tutti tune", name);
  for (const auto& extent : *grid) {
    constexpr double most_extent = std::numeric_limits<int>::max();
    require(extent.is_number_integer() && std::abs(extent.get<double>()) <= most_extent,
            "{}: a grid in its wisdom has an extent {}, which is none; measure again: tutti tune", name, extent.dump());
    entry.grid.push_back(extent.get<int>());
  }
  return entry;
}

// Says whether there is any. A text, as older profiles have it, is of processes.
bool read_first_use(const nlohmann::json& json, StoredProfile& profile, const std::string& name) {
  const auto found = json.find("first_use");
  if (found == json.end()) return false;
  if (!found->is_object()) {
    profile.first_use[Transport::processes] = word_in(json, "first_use", name);
    return true;
  }
  for (const Transport transport : all_transports) {
    const std::string key(name_of(transport));
    if (found->contains(key)) profile.first_use[transport] = word_in(*found, key, name);
  }
  return !found->empty();
}

nlohmann::json document_in(std::string_view text, const std::string& name) {
  try {
    return read_json(text, name, {.depth = 4, .values = 30'000});
  } catch (const Error& error) {
    fail(error.code(), "{}; measure again: tutti tune", error.what());
  }
}

std::string file_name_of(std::string_view machine) { return fmt::format("profile-{:016x}.json", digest_of(machine)); }

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

std::string cache_in_words(int level) {
  const long bytes = sysconf(level);
  return bytes > 0 ? text_of(Bytes{bytes}) : "unknown size";
}

/// Transports whose costs were measured, and those whose built-in costs were found to fit.
struct KnownCosts {
  ByTransport<bool> measured;
  ByTransport<bool> fitting;
};

/// Takes from the file what no file before it has had: a program that has kept nothing but winners in its own profile
/// still goes by the costs that an administrator has measured.
void believe(FoundProfile& found, KnownCosts& known, const std::string& file) {
  if (found.file.empty()) found.file = file;
  try {
    const StoredProfile stored = profile_of_this_machine(file);
    for (const Transport transport : all_transports) {
      const std::string& first_use = stored.first_use[transport];
      if (found.is_looked_at[transport] || (!stored.measured[transport] && first_use.empty())) continue;
      std::string& origin = found.profile.origins[transport];
      if (stored.measured[transport]) {
        const MeasuredCosts& measured = *stored.measured[transport];
        found.profile.costs[transport] = measured.costs;
        found.profile.on_shared_cores[transport] = measured.on_shared_cores.value_or(measured.costs);
        found.profile.errors[transport] = measured.worst_error;
        origin = fmt::format("costs measured here ({})", file);
        known.measured[transport] = true;
      } else {
        origin = fmt::format("{}, {}", built_in_origin, first_use);
        known.fitting[transport] = first_use.starts_with(built_in_costs_fit);
      }
      found.is_looked_at[transport] = true;
    }
  } catch (const Error& error) {
    found.complaint = fmt::format("{}; the built-in costs hold", error.what());
  }
}

/// Gives one of two transports costs that differ from its built-in ones as those of the other, which was measured, do.
void carry_over(Profile& profile, const KnownCosts& known, Transport from, Transport to) {
  if (!known.measured[from] || known.measured[to] || known.fitting[to]) return;
  for (ByTransport<MachineCosts>* const costs : {&profile.costs, &profile.on_shared_cores}) {
    (*costs)[to] = (*costs)[from];
    for (const CostField& field : cost_fields()) {
      const double built_in = built_in_costs(from).*field.value;
      if (built_in > 0) (*costs)[to].*field.value *= built_in_costs(to).*field.value / built_in;
    }
  }
  profile.errors[to] = profile.errors[from];
  profile.origins[to] = fmt::format("built-in costs in proportion to {}' {}", name_of(from), profile.origins[from]);
}

}  // namespace

const std::array<CostField, 14>& cost_fields() {
  using enum CostField::Kind;
  static constexpr std::array<CostField, 14> fields{{{"call", &MachineCosts::call, seconds},
                                                     {"latency", &MachineCosts::latency, seconds},
                                                     {"overhead", &MachineCosts::overhead, seconds},
                                                     {"rendezvous", &MachineCosts::rendezvous, seconds},
                                                     {"short_byte", &MachineCosts::short_byte, seconds_a_byte},
                                                     {"byte", &MachineCosts::byte, seconds_a_byte},
                                                     {"combine_byte", &MachineCosts::combine_byte, seconds_a_byte},
                                                     {"further", &MachineCosts::further, part},
                                                     {"copy_byte", &MachineCosts::copy_byte, seconds_a_byte},
                                                     {"near", &MachineCosts::near, part},
                                                     {"near_bytes", &MachineCosts::near_bytes, bytes},
                                                     {"alone", &MachineCosts::alone, part},
                                                     {"turn", &MachineCosts::turn, seconds},
                                                     {"link_byte", &MachineCosts::link_byte, seconds_a_byte}}};
  return fields;
}

std::string text_of(const StoredProfile& profile) {
  Json json{{form, profile_version}, {"tutti", profile.tutti}, {"machine", profile.machine}};
  for (const Transport transport : all_transports) {
    if (profile.measured[transport]) json[std::string(name_of(transport))] = json_of(*profile.measured[transport]);
  }
  for (const Transport transport : all_transports) {
    const std::string& first_use = profile.first_use[transport];
    if (!first_use.empty()) json["first_use"][std::string(name_of(transport))] = first_use;
  }
  for (const WisdomEntry& entry : profile.wisdom) json["wisdom"].push_back(json_of(entry));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

StoredProfile parse_profile(std::string_view text, const std::string& name) {
  const nlohmann::json json = document_in(text, name);
  require(json.is_object() && json.contains(form) && json[form].is_number_integer(),
          "{}: it is no profile of tutti; measure one: tutti tune", name);
  const auto version = json[form].get<std::int64_t>();
  require(oldest_profile_version <= version && version <= profile_version,
          "{}: it is of version {}, and this tutti reads {} to {}; measure again: tutti tune", name, version,
          oldest_profile_version, profile_version);
  StoredProfile profile{.machine = word_in(json, "machine", name), .tutti = word_in(json, "tutti", name)};
  require(!is_newer(profile.tutti, TUTTI_VERSION),
          "{}: tutti {} has made it, and this is {}; measure again: tutti tune", name, profile.tutti, TUTTI_VERSION);
  bool has_costs = false;
  for (const Transport transport : all_transports) {
    const auto found = json.find(name_of(transport));
    if (found == json.end()) continue;
    profile.measured[transport] = measured_costs_in(*found, built_in_costs(transport), version, name);
    has_costs = true;
  }
  const bool is_looked_at = read_first_use(json, profile, name);
  if (const auto wisdom = json.find("wisdom"); wisdom != json.end()) {
    require(wisdom->is_array(), "{}: its 'wisdom' is no list; measure again: tutti tune", name);
    for (const auto& each : *wisdom) profile.wisdom.push_back(entry_in(each, name));
  }
  require(has_costs || !profile.wisdom.empty() || is_looked_at,
          "{}: it has the costs of no transport; measure again: tutti tune", name);
  return profile;
}

StoredProfile profile_of_this_machine(const std::string& file) {
  const std::string& here = machine_identity();
  const std::string text = short_file(file);
  if (text.empty()) return {.machine = here, .tutti = TUTTI_VERSION};
  StoredProfile stored = parse_profile(text, file);
  require(stored.machine == here, "{}: it is of another machine ({}, and this is {}); measure this one: tutti tune",
          file, stored.machine, here);
  return stored;
}

const std::string& machine_identity() {
  static const std::string identity = [] {
    const long processors = sysconf(_SC_NPROCESSORS_CONF);
    return fmt::format("{}, {}, caches of {} and {}", processor(), counted(processors, "processor"),
                       cache_in_words(_SC_LEVEL2_CACHE_SIZE), cache_in_words(_SC_LEVEL3_CACHE_SIZE));
  }();
  return identity;
}

std::string own_profile_file() {
  if (const std::string named = text_in_environment("TUTTI_PROFILE"); !named.empty())
    return named == "built-in" ? "" : named;
  const std::string folder = own_configuration();
  return folder.empty() ? folder : folder + '/' + file_name_of(machine_identity());
}

std::vector<std::string> profile_files(const std::string& administrator) {
  const std::string own = own_profile_file();
  if (!text_in_environment("TUTTI_PROFILE").empty()) return own.empty() ? std::vector<std::string>() : std::vector{own};
  std::vector<std::string> files{own, administrator + '/' + file_name_of(machine_identity()),
                                 administrator + "/profile.json"};
  std::error_code none;
  std::erase_if(files, [&](const std::string& file) { return file.empty() || !std::filesystem::exists(file, none); });
  return files;
}

FoundProfile find_profile(const std::string& administrator) {
  FoundProfile found;
  KnownCosts known;
  for (const std::string& file : profile_files(administrator)) {
    const bool knows_all = std::all_of(all_transports.begin(), all_transports.end(),
                                       [&](Transport transport) { return found.is_looked_at[transport]; });
    if (found.complaint.empty() && !knows_all) believe(found, known, file);
  }
  carry_over(found.profile, known, Transport::threads, Transport::processes);
  carry_over(found.profile, known, Transport::processes, Transport::threads);
  const bool is_named = !text_in_environment("TUTTI_PROFILE").empty();
  if (is_named && !found.complaint.empty()) found.complaint.insert(0, "TUTTI_PROFILE=");
  return found;
}

}  // namespace tutti

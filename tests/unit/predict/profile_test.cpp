/// @file
/// Profiles: what is written is read again, and what is wrong is refused with one line and not believed.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tutti/error.hpp"
#include "unit/predict/profiles.hpp"

namespace tutti {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string complaint_about(const std::string& text) {
  try {
    parse_profile(text, "p.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    return error.what();
  }
  return {};
}

std::string with(std::string text, const std::string& what, const std::string& instead) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), instead);
}

TEST(StoredProfile, IsReadAsItWasWritten) {
  const StoredProfile before = example();
  const StoredProfile after = parse_profile(text_of(before), "p.json");
  EXPECT_EQ(after.machine, before.machine);
  EXPECT_EQ(after.tutti, "0.0.17");
  ASSERT_TRUE(after.measured[Transport::threads]);
  EXPECT_FALSE(after.measured[Transport::processes] || after.measured[Transport::mpi]);
  for (const CostField& field : cost_fields()) {
    EXPECT_EQ(after.measured[Transport::threads]->costs.*field.value,
              before.measured[Transport::threads]->costs.*field.value)
        << field.name;
  }
  EXPECT_EQ(after.measured[Transport::threads]->costs.short_bytes, threads_costs.short_bytes)
      << "that is the transport's";
  EXPECT_EQ(after.measured[Transport::threads]->median_error, 0.1);
  EXPECT_EQ(after.measured[Transport::threads]->observations, 7);
}

TEST(StoredProfile, IsRefusedWhereItIsWrong) {
  const std::string good = text_of(example());
  EXPECT_EQ(complaint_about(good), "");
  for (std::size_t cut = 0; cut + 2 < good.size(); cut += 17)
    EXPECT_THAT(complaint_about(good.substr(0, cut)),
                testing::AllOf(HasSubstr("p.json: "), HasSubstr("; measure again: tutti tune")));
  EXPECT_THAT(complaint_about("[1, 2]"), HasSubstr("p.json: it is no profile of tutti; measure one: tutti tune"));
  const auto of_version = [](int number) { return fmt::format("\"tutti_profile\": {}", number); };
  for (const int other : {0, oldest_profile_version - 1, profile_version + 1}) {
    EXPECT_THAT(complaint_about(with(good, of_version(profile_version), of_version(other))),
                HasSubstr(fmt::format("version {}, and this tutti reads {} to {}", other, oldest_profile_version,
                                      profile_version)));
  }
  for (const char* newer : {"99.0.0", "1.99.0", "7"})
    EXPECT_THAT(complaint_about(with(good, "0.0.17", newer)), HasSubstr("has made it, and this is"));
  StoredProfile empty = example();
  empty.measured = {};
  empty.wisdom.clear();
  empty.first_use = {};
  EXPECT_THAT(complaint_about(text_of(empty)), HasSubstr("it has the costs of no transport"));
  StoredProfile free = example();
  for (const CostField& field : cost_fields()) free.measured[Transport::threads]->costs.*field.value = 0;
  EXPECT_THAT(complaint_about(text_of(free)), HasSubstr("all costs of a transport are 0"));
  EXPECT_THAT(complaint_about(with(good, "\"latency\"", "\"lateness\"")), HasSubstr("no number 'latency'"));
  for (const char* value : {"-1", "2", "1e300", "\"fast\"", "null"}) {
    EXPECT_NE(complaint_about(with(good, "1.23e-07", value)), "") << value;
  }
  EXPECT_THAT(complaint_about(with(good, "1.23e-07", "-1")), HasSubstr("'latency' is -1, which no machine has"));
  EXPECT_NE(complaint_about(std::string(100'000, '[')), "");
}

// Profiles of version 2 are of a model in which these parts are 1.
TEST(StoredProfile, OfVersionTwoPredictsWhatItDidThen) {
  const StoredProfile written = example();
  const MachineCosts& costs = written.measured[Transport::threads]->costs;
  std::string text = with(text_of(written), "\"tutti_profile\": 3", "\"tutti_profile\": 2");
  for (const auto& [name, value] : {std::pair("alone", costs.alone), std::pair("further", costs.further)})
    text = with(text, fmt::format("\"{}\": {}", name, value), fmt::format("\"no-{}\": 0", name));
  const StoredProfile read = parse_profile(text, "p.json");
  ASSERT_TRUE(read.measured[Transport::threads]);
  EXPECT_EQ(read.measured[Transport::threads]->costs.alone, 1);
  EXPECT_EQ(read.measured[Transport::threads]->costs.further, 1);
  EXPECT_EQ(read.measured[Transport::threads]->costs.byte, costs.byte);
}

TEST(StoredProfile, HasNoExtentsThatAreNone) {
  StoredProfile profile = example();
  profile.wisdom.push_back({.call = "a call", .algorithm = "ring", .grid = {11, 8}});
  const std::string good = text_of(profile);
  EXPECT_EQ(complaint_about(good), "");
  for (const char* extent : {"2147483648", "-4294967298", "18446744073709551615", "1.5", "\"eleven\""}) {
    EXPECT_THAT(complaint_about(with(good, " 11", std::string(" ") + extent)),
                HasSubstr(std::string("has an extent ") + extent))
        << extent;
  }
}

TEST_F(Places, WithoutAFileTheBuiltInCostsHold) {
  EXPECT_EQ(find().complaint, "");
  EXPECT_EQ(find().profile.origins[Transport::threads], "built-in costs");
}

// The XDG Base Directory Specification asks for this.
TEST_F(Places, AreNoneWhereTheyDependOnTheCurrentFolder) {
  const std::string home = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  setenv("HOME", "/home/somebody", 1);
  setenv("XDG_CONFIG_HOME", "here", 1);
  EXPECT_THAT(own_profile_file(), testing::StartsWith("/home/somebody/.config/tutti/profile-"));
  setenv("HOME", "there", 1);
  EXPECT_EQ(own_profile_file(), "");
  unsetenv("HOME");
  EXPECT_EQ(own_profile_file(), "");
  if (!home.empty()) setenv("HOME", home.c_str(), 1);
}

TEST_F(Places, OwnGoesBeforeTheAdministrators) {
  StoredProfile shipped = example();
  shipped.measured[Transport::threads]->costs.latency = 1e-6;
  write(folder_ / "etc" / "profile.json", shipped);
  EXPECT_EQ(find().profile.costs[Transport::threads].latency, 1e-6);
  EXPECT_THAT(find().profile.origins[Transport::threads], HasSubstr((folder_ / "etc" / "profile.json").string()));
  EXPECT_DOUBLE_EQ(find().profile.costs[Transport::processes].latency,
                   1e-6 / threads_costs.latency * processes_costs.latency)
      << "which was not measured";
  write(own_profile_file(), example());
  EXPECT_EQ(find().profile.costs[Transport::threads].latency, 123e-9);
  EXPECT_THAT(own_profile_file(), HasSubstr((folder_ / "own" / "tutti" / "profile-").string()));
  write(folder_ / "named.json", shipped);
  setenv("TUTTI_PROFILE", (folder_ / "named.json").c_str(), 1);
  EXPECT_EQ(find().profile.costs[Transport::threads].latency, 1e-6);
  setenv("TUTTI_PROFILE", "built-in", 1);
  EXPECT_EQ(find().profile.origins[Transport::threads], "built-in costs");
}

// A user who keeps winners has measured no costs.
TEST_F(Places, EachTransportIsTheFirstsThatHasMeasuredIt) {
  StoredProfile shipped = example();
  shipped.measured[Transport::threads]->costs.latency = 1e-6;
  shipped.measured[Transport::processes] = shipped.measured[Transport::threads];
  write(folder_ / "etc" / "profile.json", shipped);
  StoredProfile own{.machine = machine_identity(), .tutti = "0.0.1"};
  own.wisdom.push_back({.call = "a call", .algorithm = "ring"});
  write(own_profile_file(), own);
  EXPECT_EQ(find().profile.costs[Transport::threads].latency, 1e-6);
  EXPECT_EQ(find().file, own_profile_file());
  own.measured[Transport::threads] = example().measured[Transport::threads];
  own.first_use[Transport::processes] = "which fit this machine";
  write(own_profile_file(), own);
  EXPECT_EQ(find().profile.costs[Transport::threads].latency, 123e-9);
  EXPECT_EQ(find().profile.costs[Transport::processes].latency, processes_costs.latency)
      << "which the first use has looked at";
  own.first_use = {};
  write(own_profile_file(), own);
  EXPECT_EQ(find().profile.costs[Transport::processes].latency, 1e-6);
  std::ofstream(folder_ / "etc" / "profile.json") << "{";
  EXPECT_EQ(find().profile.costs[Transport::threads].latency, 123e-9);
  EXPECT_THAT(find().complaint, HasSubstr((folder_ / "etc" / "profile.json").string()));
}

TEST_F(Places, SayWhatTheFirstUseHasFound) {
  StoredProfile looked_at{.machine = machine_identity(), .tutti = "0.0.1"};
  looked_at.first_use[Transport::processes] = "which fit this machine";
  write(own_profile_file(), looked_at);
  EXPECT_EQ(find().profile.origins[Transport::processes], "built-in costs, which fit this machine");
  EXPECT_EQ(find().profile.origins[Transport::threads], "built-in costs") << "which nobody has looked at";
  EXPECT_EQ(find().file, own_profile_file());
  looked_at.measured[Transport::processes] = example().measured[Transport::threads];
  write(own_profile_file(), looked_at);
  EXPECT_THAT(find().profile.origins[Transport::processes], StartsWith("costs measured here"));
  EXPECT_TRUE(find().is_looked_at[Transport::processes]);
  EXPECT_FALSE(find().is_looked_at[Transport::threads]) << "which nobody has looked at";
}

// A machine that takes three times what was built in for threads takes more for processes, too, as one may tell without
// measuring them.
TEST_F(Places, CostsOfThreadsAndProcessesAreCarriedOverInProportion) {
  const auto measured_as = [](Transport transport) {
    MeasuredCosts measured{.costs = built_in_costs(transport)};
    measured.costs.byte *= 3;
    measured.costs.latency *= 2;
    return measured;
  };
  for (const auto& [from, to] :
       {std::pair(Transport::threads, Transport::processes), std::pair(Transport::processes, Transport::threads)}) {
    StoredProfile own{.machine = machine_identity(), .tutti = "0.0.1"};
    own.measured[from] = measured_as(from);
    write(own_profile_file(), own);
    FoundProfile found = find();
    EXPECT_DOUBLE_EQ(found.profile.costs[to].byte, 3 * built_in_costs(to).byte);
    EXPECT_DOUBLE_EQ(found.profile.costs[to].latency, 2 * built_in_costs(to).latency);
    EXPECT_DOUBLE_EQ(found.profile.costs[to].overhead, built_in_costs(to).overhead);
    EXPECT_THAT(found.profile.origins[to], StartsWith("built-in costs in proportion to"));
    EXPECT_FALSE(found.is_looked_at[to]) << "its own first use may still measure it";
    EXPECT_EQ(found.profile.costs[Transport::mpi].byte, mpi_costs.byte);
    EXPECT_EQ(found.profile.costs[Transport::system_copies].byte, system_copies_costs.byte);
    own.first_use[to] = "because other work disturbed its first use";
    write(own_profile_file(), own);
    EXPECT_DOUBLE_EQ(find().profile.costs[to].byte, 3 * built_in_costs(to).byte);
    own.first_use[to] = fmt::format("{}: within 5 %", built_in_costs_fit);
    write(own_profile_file(), own);
    EXPECT_EQ(find().profile.costs[to].byte, built_in_costs(to).byte) << "which fit";
    own.first_use[to] = "";
    own.measured[to] = measured_as(to);
    own.measured[to]->costs.byte *= 2;
    write(own_profile_file(), own);
    found = find();
    EXPECT_DOUBLE_EQ(found.profile.costs[to].byte, 6 * built_in_costs(to).byte) << "measured itself";
  }
}

// Profiles were written so when the first use looked at processes alone.
TEST(StoredProfile, WithOneWordOfTheFirstUseIsOfProcesses) {
  StoredProfile written = example();
  written.first_use[Transport::processes] = "a word";
  written.first_use[Transport::threads] = "another";
  EXPECT_EQ(parse_profile(text_of(written), "p.json").first_use[Transport::threads], "another");
  nlohmann::json json = nlohmann::json::parse(text_of(written));
  json["first_use"] = "a word";
  const StoredProfile read = parse_profile(json.dump(), "p.json");
  EXPECT_EQ(read.first_use[Transport::processes], "a word");
  EXPECT_EQ(read.first_use[Transport::threads], "");
  json["first_use"] = {{"threads", 3}};
  EXPECT_THAT(complaint_about(json.dump()), HasSubstr("it has no word 'threads'"));
}

TEST_F(Places, TheFirstUseIsClaimedOnce) {
  StoredProfile own{.machine = machine_identity(), .tutti = "0.0.1"};
  own.wisdom.push_back({.call = "a call", .algorithm = "ring"});
  write(own_profile_file(), own);
  EXPECT_TRUE(claim_first_use(own_profile_file(), Transport::processes, "because it was short"));
  EXPECT_EQ(find().profile.origins[Transport::processes], "built-in costs, because it was short");
  EXPECT_EQ(profile_of_this_machine(own_profile_file()).wisdom, own.wisdom);
  EXPECT_FALSE(claim_first_use(own_profile_file(), Transport::processes, "because it was short"));
  own.measured[Transport::processes] = example().measured[Transport::threads];
  write(own_profile_file(), own);
  EXPECT_FALSE(claim_first_use(own_profile_file(), Transport::processes, "because it was short"))
      << "the costs are known";
}

TEST_F(Places, WhatIsWrongIsNotBelieved) {
  StoredProfile foreign = example();
  foreign.machine = "another one";
  write(own_profile_file(), foreign);
  EXPECT_THAT(find().complaint, HasSubstr("it is of another machine (another one, and this is " + machine_identity()));
  EXPECT_THAT(find().complaint, testing::EndsWith("; the built-in costs hold"));
  EXPECT_EQ(find().profile.costs[Transport::threads].latency, threads_costs.latency);
  EXPECT_EQ(find().profile.origins[Transport::threads], "built-in costs");
  std::ofstream(own_profile_file()) << "{";
  EXPECT_THAT(find().complaint, HasSubstr(own_profile_file()));
  setenv("TUTTI_PROFILE", "/no/such/profile.json", 1);
  EXPECT_THAT(find().complaint, HasSubstr("/no/such/profile.json: there is no such file"));
}

TEST_F(Places, CostsOfSharedCoresHoldWhereRanksOutnumberCores) {
  StoredProfile own = example();
  write(own_profile_file(), own);
  const auto latency = [&](int ranks) { return find().profile.costs_of(Transport::threads, ranks, 2).latency; };
  EXPECT_EQ(latency(3), 123e-9) << "costs of all ranks";
  own.measured[Transport::threads]->on_shared_cores = threads_costs;
  own.measured[Transport::threads]->on_shared_cores->latency = 5e-9;
  write(own_profile_file(), own);
  EXPECT_EQ(latency(2), 123e-9);
  EXPECT_EQ(latency(3), 5e-9);
  EXPECT_EQ(find().profile.costs_of(Transport::processes, 3, 2).latency,
            5e-9 * (processes_costs.latency / threads_costs.latency))
      << "carried over";
  nlohmann::json broken = nlohmann::json::parse(text_of(own));
  broken["threads"]["on_shared_cores"].erase("turn");
  EXPECT_THAT(complaint_about(broken.dump()), HasSubstr("it has no number 'turn'"));
}

}  // namespace
}  // namespace tutti

/// @file
/// Profiles as files: what was measured on a machine, and which file a program believes.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "predict/profile/profile.hpp"

namespace tutti {

/// A cost that is measured. What a transport decides by itself (the longest short message, how a sender helps) is
/// none.
struct CostField {
  enum class Kind : std::uint8_t { seconds, seconds_a_byte, part, bytes };

  std::string_view name;  ///< in files
  double MachineCosts::*value;
  Kind kind;

  /// The largest value that a machine may have, in the unit of the kind.
  double most() const { return kind == Kind::bytes ? 1e12 : 1; }
};
const std::array<CostField, 14>& cost_fields();

/// The costs of one transport, as measured, and how well the model fits them.
struct MeasuredCosts {
  MachineCosts costs = threads_costs;
  std::optional<MachineCosts> on_shared_cores = {};  ///< costs of ranks that outnumber cores; nothing: `costs` hold
  double median_error = 0;                           ///< median error of predictions, as a part of the measured time
  double worst_error = 0;                            ///< error that nine tenths of them stay below
  int observations = 0;
};

/// Algorithm that was found to be the fastest for a call, by trying.
struct WisdomEntry {
  std::string call;       ///< its collective, size, ranks, type, operator, and where the ranks are, in words
  std::string algorithm;  ///< its name
  int segments = 0;       ///< 0: left open
  int radix = 0;          ///< 0: left open
  std::vector<int> grid;  ///< empty: left open
  double seconds = 0;     ///< seconds of one call

  /// But for the seconds.
  friend bool operator==(const WisdomEntry& a, const WisdomEntry& b) {
    return a.call == b.call && a.algorithm == b.algorithm && a.segments == b.segments && a.radix == b.radix &&
           a.grid == b.grid;
  }
};

/// Words that a profile keeps of a transport whose built-in costs were right at its first use; figures follow.
inline constexpr std::string_view built_in_costs_fit = "which fit this machine";

/// A profile as it is kept: of one machine, with those transports that were measured.
struct StoredProfile {
  std::string machine;  ///< machine_identity()
  std::string tutti;    ///< the version that measured it
  ByTransport<std::optional<MeasuredCosts>> measured = {};
  /// Why the first use of a transport has left its built-in costs as they are; empty: it has not.
  ByTransport<std::string> first_use = {};
  std::vector<WisdomEntry> wisdom = {};  ///< the latest last
};

/// More winners than these are not kept, nor more than a file has room for that is read again: the oldest are
/// forgotten.
inline constexpr std::size_t most_wisdom = 2000;

/// The version of the file's form, and the oldest one that is read, too.
inline constexpr int profile_version = 3;
inline constexpr int oldest_profile_version = 2;

/// Returns the profile as JSON, which ends with a newline. A text that is no UTF-8 loses the bytes that are none.
std::string text_of(const StoredProfile& profile);
/// Reads that. Throws `Error(invalid_argument)`, one line that begins with `name`, where the text is no profile, is of
/// another version, or has a cost that no machine has. The machine is not compared.
StoredProfile parse_profile(std::string_view text, const std::string& name);

/// The profile in the file, of which an empty one is a new profile. Throws as parse_profile() does, and where it cannot
/// be read or is of another machine.
StoredProfile profile_of_this_machine(const std::string& file);

/// Returns the words that tell kinds of machines apart: "Intel(R) Xeon(R) Processor, 2 processors, caches of 2MiB and
/// 105MiB".
const std::string& machine_identity();

/// Returns the file in which `tutti tune` keeps the profile of this machine: TUTTI_PROFILE, or a file of
/// own_configuration() whose name has a digest of the machine's identity; empty if there is neither, or TUTTI_PROFILE
/// is "built-in".
std::string own_profile_file();

/// Profile by which this process would choose.
struct FoundProfile {
  Profile profile;
  std::string complaint;  ///< why a file that is there is not believed, one line; empty: there is no such file
  std::string file;       ///< file that was looked at first; empty: there is none
  ByTransport<bool> is_looked_at = {};  ///< whether a file has measured the transport, or says why none did
};

/// The files that are asked, in their order: what TUTTI_PROFILE names, whether or not it is there ("built-in" for none
/// at all); otherwise those that are there of own_profile_file(), the administrator's file of the same name in
/// `administrator`, and profile.json there.
std::vector<std::string> profile_files(const std::string& administrator);

/// For each transport the first of profile_files() that has measured it. One that is corrupt, newer, or of another
/// machine is not believed: then the built-in costs hold for what no file before it has. Where threads alone were
/// measured, or processes that share heaps alone, the others' built-in costs change in proportion: messages of both move
/// through the same memory. Never throws for what is in a file.
FoundProfile find_profile(const std::string& administrator = "/etc/tutti");

/// Returns the entry of the first of profile_files() that knows the call; nothing if none does. Never throws for the
/// contents of a file.
std::optional<WisdomEntry> recall_entry(const std::string& call);

/// All that profile_files() know of calls, the user's and the latest last; nothing of those that are not to be
/// believed. Never throws for what is in a file.
std::vector<WisdomEntry> recall_all(const std::string& administrator = "/etc/tutti");

/// Outcome of change_profile().
struct ChangedProfile {
  StoredProfile profile;
  std::string set_aside;  ///< why what was there could not be kept in it, and where it is now; empty: it was
};

/// Lets `change` change the profile in `file`, which is made where it is not there, and keeps what comes of it, but for
/// the oldest winners where there are more than can be read again. A file that is a link stays one, and permissions
/// stay as they are. Two programs that do so at once both succeed. What is there and is no profile of this machine, or
/// of a newer tutti, is kept beside it under another name. Throws `Error` where the file cannot be written, which then
/// stays as it was.
ChangedProfile change_profile(const std::string& file, const std::function<void(StoredProfile&)>& change);

/// Adds that to the profile in `file`, which is made where it is not there; what it knew of the call is replaced. Two
/// programs that do so at once both succeed. Throws `Error` where the file cannot be written, or holds something that
/// is not to be believed and so not to be replaced.
void keep_entry(const std::string& file, const WisdomEntry& entry);

/// Writes into the profile in `file`, which is there, that the first use of the transport has looked at the machine
/// (`first_use`), and says whether it does: not where the profile already says so, or has the transport's costs. Of two
/// programs that ask at once one gets true. Throws as keep_entry() does.
bool claim_first_use(const std::string& file, Transport transport, const std::string& first_use);

}  // namespace tutti

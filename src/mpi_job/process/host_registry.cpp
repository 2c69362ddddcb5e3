#include "mpi_job/process/host_registry.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <exception>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/system/environment.hpp"
#include "heap/memory.hpp"
#include "mpi_job/process/library_build.hpp"
#include "tutti/detail/datatype.hpp"

namespace tutti::interpose {
namespace {

using runtime::Invitation;
using runtime::Segment;

struct Address {
  sockaddr_un name = {};
  socklen_t bytes = 0;
};

/// An abstract name: it begins with a zero byte, and no file stands for it.
Address address_of(const std::string& name) {
  Address address;
  address.name.sun_family = AF_UNIX;
  const std::size_t length = std::min(name.size(), sizeof(address.name.sun_path) - 1);
  std::memcpy(address.name.sun_path + 1, name.data(), length);
  address.bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  return address;
}

/// Returns the result of the system call once no signal breaks it off: a program that is profiled gets one all the
/// time.
template <typename SystemCall>
auto undisturbed(SystemCall call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// A socket that is closed when nobody needs it any more.
class RegistryConnection {
 public:
  explicit RegistryConnection(int socket) : socket_(socket) {}
  RegistryConnection(RegistryConnection&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}
  RegistryConnection& operator=(RegistryConnection&&) = delete;
  ~RegistryConnection() {
    if (socket_ >= 0) close(socket_);
  }

  bool is_open() const { return socket_ >= 0; }
  template <typename T>
  bool tell(const T& value) const {
    return undisturbed([&] { return send(socket_, &value, sizeof(value), MSG_NOSIGNAL); }) == sizeof(value);
  }
  template <typename T>
  std::optional<T> told() const {
    T value;
    std::size_t came = 0;
    while (came < sizeof(value)) {
      auto* const at = reinterpret_cast<std::byte*>(&value) + came;
      const ssize_t more = undisturbed([&] { return recv(socket_, at, sizeof(value) - came, 0); });
      if (more <= 0) return std::nullopt;
      came += static_cast<std::size_t>(more);
    }
    return value;
  }
  /// Sets a limit: what is awaited for longer does not come; 0: all that is awaited comes, or the line is closed.
  void be_patient(std::chrono::milliseconds patience) const {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(patience);
    const timeval most{seconds.count(), std::chrono::microseconds(patience - seconds).count()};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most));
    setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof(most));
  }
  int number() const { return socket_; }

 private:
  int socket_;
};

/// Whether the process at the other end is the same user's.
bool is_ours(const RegistryConnection& line) {
  ucred who = {};
  socklen_t bytes = sizeof(who);
  return getsockopt(line.number(), SOL_SOCKET, SO_PEERCRED, &who, &bytes) == 0 && who.uid == geteuid();
}

/// Offer of the first rank, about its segment.
struct SegmentOffer {
  bool is_there = false;
  Invitation invitation;
};

/// When the process began, as the system tells everybody alike: numbers of processes come again.
std::string beginning_of(pid_t process) {
  constexpr int fields_before = 19;  // fields of /proc/…/stat, from the one behind the name on
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string text;
  std::getline(file, text);
  // The program's name, in parentheses, may hold anything.
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  for (int k = 0; k < fields_before; ++k) fields >> text;
  fields >> text;
  return text;
}

std::string_view text_of(const char* variable) {
  const char* const text = environment_variable(variable);
  return text == nullptr ? std::string_view() : std::string_view(text);
}

/// Whether a limit of addresses leaves enough for a segment of so many ranks, and for what calls map of it later: who
/// could not map then would end a program that runs without the library.
bool has_addresses_for(std::size_t ranks) {
  constexpr std::size_t in_all = std::size_t{64} << 20;
  constexpr std::size_t a_rank = std::size_t{4} << 20;
  rlimit limit = {};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + in_all + ranks * a_rank <= limit.rlim_cur;
}

/// Takes a connection from each of so many others, and offers the segment on it. Fewer connections where not all come,
/// or where the process has no descriptor left: then one that was kept in reserve takes the others in turn, to say that
/// nobody shares.
std::vector<RegistryConnection> offered(int socket, std::size_t others, SegmentOffer offer,
                                        std::optional<RegistryConnection> reserve, std::chrono::milliseconds patience) {
  std::vector<RegistryConnection> lines;
  for (std::size_t refused = 0; lines.size() + refused < others;) {
    pollfd coming{socket, POLLIN, 0};
    const auto most = static_cast<int>(patience.count());
    if (undisturbed([&] { return poll(&coming, 1, most); }) != 1) break;
    RegistryConnection line(undisturbed([&] { return accept4(socket, nullptr, nullptr, SOCK_CLOEXEC); }));
    if (!line.is_open()) {
      if (errno == ECONNABORTED) continue;  // the peer has gone again
      if (!reserve) break;                  // no descriptor being left, for one, comes again with the next look
      reserve.reset();
      offer.is_there = false;
      continue;
    }
    if (!is_ours(line)) continue;
    line.be_patient(patience);
    line.tell(offer);
    reserve ? lines.push_back(std::move(line)) : static_cast<void>(++refused);
  }
  return lines;
}

}  // namespace

// Open MPI names the job, and the daemon that started it. MPICH's launcher gives each rank one end of a pair of
// sockets, whose maker the system knows: it is the one proxy of the host.
std::string job_of_this_process() {
  if (const std::string_view space = text_of(pmix_job); !space.empty())
    return fmt::format("pmix {} {}", space, text_of("PMIX_SERVER_URI2"));
  const std::string_view number = text_of("PMI_FD");
  int file = -1;
  if (std::from_chars(number.data(), number.data() + number.size(), file).ec != std::errc()) return {};
  ucred maker = {};
  socklen_t bytes = sizeof(maker);
  if (getsockopt(file, SOL_SOCKET, SO_PEERCRED, &maker, &bytes) != 0) return {};
  return fmt::format("pmi {} {}", maker.pid, beginning_of(maker.pid));
}

HostRegistry::HostRegistry(const std::string& job, int rank, std::chrono::milliseconds patience)
    : prefix_(fmt::format("tutti.{}.{:016x}.", geteuid(), detail::hash_of(job + build_and_checks_of_this_rank()))),
      rank_(rank),
      patience_(patience) {
  if (heap::descriptors_are_few()) return;
  socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const Address own = address_of(fmt::format("{}{}", prefix_, rank));
  const bool is_bound = socket_ >= 0 && bind(socket_, reinterpret_cast<const sockaddr*>(&own.name), own.bytes) == 0 &&
                        listen(socket_, Segment::most_ranks) == 0;
  if (is_bound || socket_ < 0) return;
  close(socket_);
  socket_ = -1;
}

HostRegistry::~HostRegistry() {
  if (socket_ >= 0) close(socket_);
}

// Each line of the list ends with the name of a socket; '@' stands for the zero byte of an abstract one. A socket that
// listens and a connection to it have the same name.
std::vector<int> HostRegistry::present() const {
  std::vector<int> ranks;
  std::ifstream list("/proc/net/unix");
  const std::string mark = " @" + prefix_;
  for (std::string line; std::getline(list, line);) {
    const std::size_t at = line.rfind(mark);
    if (at == std::string::npos) continue;
    int rank = 0;
    const char* const end = line.data() + line.size();
    if (std::from_chars(line.data() + at + mark.size(), end, rank).ptr == end) ranks.push_back(rank);
  }
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

std::optional<Segment> HostRegistry::share(const std::vector<int>& ranks, runtime::Propose propose) const {
  const auto place = std::find(ranks.begin(), ranks.end(), rank_) - ranks.begin();
  if (static_cast<std::size_t>(place) == ranks.size()) return std::nullopt;
  return place == 0 ? share_as_first(ranks.size(), propose) : share_as_other(ranks, static_cast<int>(place));
}

/// The first takes a connection from each of the others, offers its segment on it, hears whether it could be joined,
/// and tells all whether all have.
std::optional<Segment> HostRegistry::share_as_first(std::size_t ranks, runtime::Propose propose) const {
  if (socket_ < 0) return std::nullopt;  // nobody can come, as each of the others finds
  std::optional<RegistryConnection> reserve(std::in_place, fcntl(socket_, F_DUPFD_CLOEXEC, 0));
  std::optional<Segment> segment;
  SegmentOffer offer;
  try {
    if (has_addresses_for(ranks)) {
      segment.emplace(Segment::create(static_cast<int>(ranks)));
      offer = {true, segment->invitation()};
      segment->join(0, propose());
    }
  } catch (const std::exception&) {
    offer.is_there = false;
  }
  const std::vector<RegistryConnection> others = offered(socket_, ranks - 1, offer, std::move(reserve), patience_);
  bool all_have_joined = offer.is_there && others.size() + 1 == ranks;
  for (const RegistryConnection& line : others) all_have_joined = line.told<bool>().value_or(false) && all_have_joined;
  for (const RegistryConnection& line : others) line.tell(all_have_joined);
  if (!all_have_joined) segment.reset();
  return segment;
}

/// A rank without an offer may never be heard: the first awaits no more of the others. A rank with one waits until the
/// first has heard all, or is gone: whoever did not would be the only one to go without.
std::optional<Segment> HostRegistry::share_as_other(const std::vector<int>& ranks, int place) const {
  const RegistryConnection line(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  line.be_patient(patience_);
  const Address at = address_of(fmt::format("{}{}", prefix_, ranks.front()));
  const auto* const name = reinterpret_cast<const sockaddr*>(&at.name);
  if (undisturbed([&] { return connect(line.number(), name, at.bytes); }) != 0 || !is_ours(line)) return std::nullopt;
  std::optional<Segment> segment;
  const std::optional<SegmentOffer> offer = line.told<SegmentOffer>();
  if (!offer) return std::nullopt;
  try {
    if (offer->is_there && has_addresses_for(ranks.size())) {
      segment.emplace(Segment::invited(offer->invitation));
      segment->join(place);
    }
  } catch (const std::exception&) {
    segment.reset();
  }
  line.tell(segment.has_value());
  line.be_patient(std::chrono::milliseconds(0));
  if (!line.told<bool>().value_or(false)) segment.reset();
  return segment;
}

}  // namespace tutti::interpose

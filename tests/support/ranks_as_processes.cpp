#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <stdexcept>

#include "support/ranks.hpp"
#include "transport/processes/segment.hpp"

namespace tutti::testing {
namespace {

using runtime::Segment;

struct Child {
  pid_t process = 0;
  int output = -1;
  std::string text;
};

void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(file, text.data(), text.size());
    if (n <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

[[noreturn]] void be_rank(const Segment& segment, int rank, const RankFunction& function, Duration timeout,
                          int output) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const std::string& variable : segment.environment(rank)) {
    const std::size_t equals = variable.find('=');
    setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
  }
  const char* const reads = std::getenv("TUTTI_TEST_PEER_READS");
  if (reads != nullptr && std::string_view(reads) == "mixed") setenv("TUTTI_PEER_READS", rank % 2 == 0 ? "1" : "0", 1);
  const Report report = report_of(function, [&]() -> Communicator& { return world({.timeout = timeout}); });
  write_all(output, packed(report));
  // A program's end does so: the parent may come too late on a busy machine, on which the others miss a process in 0.2
  // s.
  if (!report.outcome.threw) segment.end(rank);
  _exit(0);  // not exit(): the test goes on in the parent alone
}

Child start(const Segment& segment, int rank, const RankFunction& function, Duration timeout) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  std::cout.flush();
  const pid_t process = fork();
  if (process < 0) throw std::runtime_error("no child process");
  if (process == 0) be_rank(segment, rank, function, timeout, ends[1]);
  close(ends[1]);
  return {process, ends[0], {}};
}

/// Ends a rank as the launcher does when its process has ended; the report tells of an exception that would have ended
/// it.
Report end(Segment& segment, int rank, const Child& child) {
  close(child.output);
  int status = 0;
  waitpid(child.process, &status, 0);
  Report report;
  if (status == 0) {
    report = unpacked(child.text);
  } else {
    report.outcome = {std::nullopt, true, "its process died"};
  }
  if (report.outcome.threw) segment.lose(rank, report.outcome.message);
  segment.end(rank);
  return report;
}

}  // namespace

std::vector<Report> reports_of_processes(int ranks, const RankFunction& function, Duration timeout) {
  Segment segment = Segment::create(ranks);
  std::vector<Child> children;
  std::vector<pollfd> ends;
  for (int rank = 0; rank < ranks; ++rank) {
    children.push_back(start(segment, rank, function, timeout));
    ends.push_back({children.back().output, POLLIN, 0});
  }
  std::vector<Report> reports(static_cast<std::size_t>(ranks));
  for (int open = ranks; open > 0;) {
    poll(ends.data(), ends.size(), -1);
    for (std::size_t rank = 0; rank < ends.size(); ++rank) {
      if (ends[rank].revents == 0) continue;
      std::array<char, 4096> piece{};
      const ssize_t n = read(ends[rank].fd, piece.data(), piece.size());
      if (n > 0) {
        children[rank].text.append(piece.data(), static_cast<std::size_t>(n));
        continue;
      }
      reports[rank] = end(segment, static_cast<int>(rank), children[rank]);
      ends[rank] = {-1, 0, 0};
      --open;
    }
  }
  return reports;
}

}  // namespace tutti::testing

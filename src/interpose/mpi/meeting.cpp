#include "interpose/mpi/meeting.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "interpose/message_wait.hpp"
#include "interpose/mpi/errors.hpp"
#include "interpose/mpi/requests.hpp"

namespace tutti::interpose {
namespace {

Meeting meeting_on(Taken& on) {
  const int own = job().ranks->host()->place;
  Meeting meeting{on.peers()->digest, {}};
  for (const int place : on.peers()->on_host) {
    if (place >= 0 && place != own) meeting.others.push_back(place);
  }
  return meeting;
}

std::string text_of(const Taken& on, const char* function) {
  return with_call_site(
      fmt::format("all ranks to come to the first collective of communicator {}, in {}", on.title(), function));
}

AwaitedMessages told(Taken& on, const char* function) {
  AwaitedMessages what;
  what.beside = Requests::all().under_way();
  what.text = text_of(on, function);
  what.meeting = meeting_on(on);
  return what;
}

}  // namespace

bool meet(Taken& on, const char* function, MPI_Request request) {
  MessageWait wait(*job().ranks->host());
  bool is_told = false;
  std::string text;  // finding a call site takes milliseconds
  while (true) {
    int is_done = 0;
    if (PMPI_Test(&request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
    if (is_done != 0) return true;
    std::optional<Hang> hang = wait.pass_time([&] { return told(on, function); });
    if (is_told) continue;
    if (!hang && wait.is_overdue()) {
      if (text.empty()) text = text_of(on, function);
      hang = wait.overdue(meeting_on(on), text);
    }
    if (!hang) continue;
    is_told = true;
    raise(on, *hang);
  }
}

}  // namespace tutti::interpose

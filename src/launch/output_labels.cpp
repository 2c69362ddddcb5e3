#include "launch/output_labels.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "transport/start_thread.hpp"

namespace tutti::launch {
namespace {

bool go_to_the_same_place(int left, int right) {
  struct stat one = {};
  struct stat other = {};
  return fstat(left, &one) == 0 && fstat(right, &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

}  // namespace

OutputLabels::OutputLabels(int ranks) : stop_(Pipe::make()) {
  const bool together = go_to_the_same_place(STDOUT_FILENO, STDERR_FILENO);
  for (int rank = 0; rank < ranks; ++rank) {
    add_stream(rank, STDOUT_FILENO);
    if (together) {
      writers_.push_back(writers_.back());
    } else {
      add_stream(rank, STDERR_FILENO);
    }
  }
}

OutputLabels::~OutputLabels() {
  stop_.writer.reset();
  if (thread_.joinable()) thread_.join();
}

void OutputLabels::add_stream(int rank, int target) {
  Pipe pipe = Pipe::make();
  fcntl(pipe.reader.number(), F_SETFL, O_NONBLOCK);
  streams_.push_back({std::move(pipe.reader), target, fmt::format("[{}] ", rank), {}});
  writers_.push_back(pipe.writer.number());
  pipes_.push_back(std::move(pipe.writer));
}

void OutputLabels::begin() {
  pipes_.clear();
  thread_ = start_thread([this] { work(); });
}

bool OutputLabels::finish() {
  stop_.writer.reset();
  thread_.join();
  return std::all_of(targets_.begin(), targets_.end(), [](Target target) { return target == Target::open; });
}

// Without a limit, as the ranks have none: it ends when stop_ is closed, or all that write have ended.
void OutputLabels::work() {
  for (bool stopped = false; !stopped && !streams_.empty();) {
    std::vector<pollfd> events;
    for (const Stream& stream : streams_) events.push_back({stream.reader.number(), POLLIN, 0});
    events.push_back({stop_.reader.number(), POLLIN, 0});
    if (poll(events.data(), events.size(), -1) < 0) continue;
    stopped = events.back().revents != 0;
    // When the ranks have ended all that they printed is in the pipes: one more look at each.
    for (std::size_t k = 0; k < streams_.size(); ++k) {
      if (stopped || events[k].revents != 0) read(streams_[k]);
    }
    // Ranks that print to a closed output find a pipe that nobody reads, and have the signal of one.
    std::erase_if(streams_, [&](const Stream& stream) { return !stream.reader || is_closed(stream); });
  }
  for (Stream& stream : streams_) pass_on_rest(stream);
}

void OutputLabels::read(Stream& stream) {
  std::string piece(std::size_t{64} << 10, '\0');
  // A share at a time, so that a rank that prints much does not silence the others; but all of it is a pipe's content.
  for (int turn = 0; turn < 16; ++turn) {
    const ssize_t got = ::read(stream.reader.number(), piece.data(), piece.size());
    if (got < 0) return;  // nothing more for now
    if (got == 0) {
      pass_on_rest(stream);
      stream.reader.reset();
      return;
    }
    pass_on(stream, std::string_view(piece).substr(0, static_cast<std::size_t>(got)));
  }
}

void OutputLabels::pass_on(Stream& stream, std::string_view text) {
  std::string lines;
  for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    lines.append(stream.label).append(stream.line).append(text.substr(0, end + 1));
    stream.line.clear();
  }
  write(stream.target, lines);
  stream.line.append(text);
  if (stream.line.size() > longest_line) pass_on_rest(stream);
}

void OutputLabels::pass_on_rest(Stream& stream) {
  if (!stream.line.empty()) write(stream.target, stream.label + stream.line + '\n');
  stream.line.clear();
}

void OutputLabels::write(int number, std::string_view text) {
  Target& target = targets_[static_cast<std::size_t>(number)];
  while (!text.empty() && target == Target::open) {
    const ssize_t put = ::write(number, text.data(), text.size());
    if (put < 0 && errno == EAGAIN) {  // whoever shares the descriptor has made it non-blocking
      pollfd room{number, POLLOUT, 0};
      poll(&room, 1, -1);  // until the reader of the output makes room or ends, as a blocking write() would
    } else if (put < 0 && errno != EINTR) {
      target = errno == EPIPE ? Target::closed : Target::full;  // full: read on, so that no rank waits for room
    } else if (put > 0) {
      text.remove_prefix(static_cast<std::size_t>(put));
    }
  }
}

}  // namespace tutti::launch

#include "schedule_file/msccl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/check.hpp"

namespace tutti {
namespace {

// Chunks of a rank's scratch and input at most: its own, a copy of the message, and one of what each step works on.
std::int64_t most_chunks_of_a_rank(const msccl::MscclAlgorithm& algorithm) {
  std::int64_t most = 0;
  for (const msccl::Gpu& gpu : algorithm.gpus) {
    std::int64_t chunks = std::int64_t{gpu.scratch_chunks} + std::max(algorithm.chunks, gpu.input_chunks);
    for (const msccl::ThreadBlock& block : gpu.blocks) {
      for (const msccl::Step& step : block.steps) chunks += std::max(step.source.count, step.target.count);
    }
    most = std::max(most, chunks);
  }
  return most;
}

}  // namespace

MscclFile read_msccl_file(std::string_view text, const std::string& name, std::int64_t count) {
  msccl::MscclAlgorithm algorithm = msccl::parse(text, name);
  const auto ranks = static_cast<std::int64_t>(algorithm.gpus.size());
  const bool has_block_each = has_blocks(algorithm.collective) && !algorithm.is_custom;
  const std::int64_t chunks = has_block_each ? algorithm.chunks / ranks : algorithm.chunks;
  constexpr std::int64_t most_elements = std::int64_t{1} << 62;
  require(count / chunks <= most_elements / most_chunks_of_a_rank(algorithm),
          "{}: of {} elements a rank's scratch may have to hold more than 2^62; take fewer", name, count);
  require(count % chunks == 0, "{} has {} chunks; {} elements are no multiple of that, and {} are", name, chunks, count,
          (count / chunks + 1) * chunks);
  return {msccl::ordered(algorithm, count == 0 ? 1 : count / chunks, name), algorithm.is_custom,
          std::move(algorithm.notes)};
}

Schedule read_msccl(std::string_view text, const std::string& name, std::int64_t count) {
  return read_msccl_file(text, name, count).schedule;
}

}  // namespace tutti

namespace tutti::msccl {

// Thread blocks that share a connection: MSCCL's runtime takes files in which several of a rank have one peer and one
// channel, and does not say whose message is whose.

namespace {

/// A thread block, and how many messages it has on a connection.
struct User {
  StepPlace place = {};
  std::size_t messages = 0;
};

/// Senders and receivers of a connection, in the order of their numbers.
struct LaneConnection {
  std::vector<User> senders;
  std::vector<User> receivers;
};

using Connections = std::map<std::tuple<std::size_t, std::size_t, int>, LaneConnection>;  // from, to, channel

Connections connections_of(const MscclAlgorithm& algorithm) {
  Connections connections;
  for (std::size_t rank = 0; rank < algorithm.gpus.size(); ++rank) {
    const auto& blocks = algorithm.gpus[rank].blocks;
    for (std::size_t number = 0; number < blocks.size(); ++number) {
      const ThreadBlock& block = blocks[number];
      const auto steps = [&](bool Step::*does) {
        return static_cast<std::size_t>(
            std::count_if(block.steps.begin(), block.steps.end(), [&](const Step& step) { return step.*does; }));
      };
      const StepPlace place{rank, number, 0};
      if (const std::size_t sends = steps(&Step::sends); sends > 0)
        connections[{rank, static_cast<std::size_t>(block.send_to), block.channel}].senders.push_back({place, sends});
      if (const std::size_t receives = steps(&Step::receives); receives > 0)
        connections[{static_cast<std::size_t>(block.receive_from), rank, block.channel}].receivers.push_back(
            {place, receives});
    }
  }
  return connections;
}

bool are_pairs(const LaneConnection& connection) {
  return std::equal(connection.senders.begin(), connection.senders.end(), connection.receivers.begin(),
                    connection.receivers.end(), [](const User& a, const User& b) { return a.messages == b.messages; });
}

std::string note_on(const Connections::value_type& shared, std::size_t others, const std::string& name) {
  const auto& [ends, connection] = shared;
  const auto& [from, to, channel] = ends;
  const bool sends = connection.senders.size() > 1;
  const std::vector<User>& users = sends ? connection.senders : connection.receivers;
  const std::string more = others == 0 ? "" : fmt::format(", and {} more are shared", others);
  return fmt::format(
      "{}: thread blocks {} and {} of rank {} {} rank {} on channel {}{}, which MSCCL's runtime takes and does not "
      "order; {}",
      name, users[0].place.block, users[1].place.block, sends ? from : to, sends ? "send to" : "receive from",
      sends ? to : from, channel, more,
      are_pairs(connection) ? "the first that sends is read as the partner of the first that receives, and so on"
                            : "their messages are read in the order in which they are ready");
}

}  // namespace

void part_shared_connections(MscclAlgorithm& algorithm, const std::string& name) {
  const Connections connections = connections_of(algorithm);
  const Connections::value_type* first = nullptr;
  std::size_t shared = 0;
  for (const auto& each : connections) {
    const LaneConnection& connection = each.second;
    if (connection.senders.size() < 2 && connection.receivers.size() < 2) continue;
    if (shared++ == 0) first = &each;
    if (!are_pairs(connection)) {
      for (const User& user : connection.receivers)
        algorithm.gpus[user.place.rank].blocks[user.place.block].competes = connection.receivers.size() > 1;
      continue;
    }
    for (std::size_t lane = 0; lane < connection.senders.size(); ++lane) {
      const StepPlace& sender = connection.senders[lane].place;
      const StepPlace& receiver = connection.receivers[lane].place;
      algorithm.gpus[sender.rank].blocks[sender.block].send_lane = static_cast<int>(lane);
      algorithm.gpus[receiver.rank].blocks[receiver.block].receive_lane = static_cast<int>(lane);
    }
  }
  if (first != nullptr) algorithm.notes.push_back(note_on(*first, shared - 1, name));
}

}  // namespace tutti::msccl

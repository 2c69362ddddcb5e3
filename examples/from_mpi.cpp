/// @file
/// Calls of MPI written with tutti: each line that docs/reference/from-mpi.md shows, on four ranks that check the results.

#include <cstdio>
#include <optional>
#include <string>
#include <tutti/tutti.hpp>
#include <vector>

namespace {

/// Ends the program unless the result is right.
void check(bool is_right, const char* call) {
  if (!is_right) throw tutti::Error(tutti::ErrorCode::internal, std::string(call) + " gave a wrong result");
}

void make_collectives(tutti::Communicator& comm) {
  const int p = comm.size();
  const int r = comm.rank();
  const int root = 1;
  const int color = r % 2;
  const int key = r;
  std::vector<int> data{r, 1};
  std::vector<int> in{r, 1};
  std::vector<int> out(2);
  std::vector<int> block(2);
  std::vector<int> all(2 * static_cast<std::size_t>(p));
  std::vector<int> received(all.size());

  comm.barrier();
  comm.broadcast(data, root);
  check(data[0] == root, "broadcast");
  comm.gather(in, all, root);
  comm.scatter(all, block, root);
  check(block == in, "scatter");
  comm.all_gather(in, all);
  check(all[2] == 1, "all_gather");
  comm.all_to_all(all, received);
  check(received[0] == r, "all_to_all");
  comm.reduce(in, out, tutti::sum, root);
  comm.all_reduce(in, out, tutti::sum);
  check(out[1] == p, "all_reduce");
  comm.reduce_scatter(all, block, tutti::sum);
  check(block[0] == p * r, "reduce_scatter");
  comm.scan(in, out, tutti::sum);
  check(out[1] == r + 1, "scan");
  comm.exclusive_scan(in, out, tutti::sum);
  check(r == 0 || out[1] == r, "exclusive_scan");
  comm.shift(in, out, 1);
  check(out[0] == (r + p - 1) % p, "shift");

  data = in;
  comm.all_reduce(data, tutti::sum);
  check(data[1] == p, "all_reduce in place");

  const std::vector<int> counts(static_cast<std::size_t>(p), 2);
  const std::vector<int> places{6, 4, 2, 0};
  comm.gather_v(in, all, counts, root);
  comm.gather_v(in, all, tutti::at_root(counts), root);
  comm.gather_v(in, all, tutti::displaced(counts, places), root);
  check(r != root || all[6] == 0, "gather_v");
  comm.scatter_v(all, block, counts, root);
  comm.all_gather_v(in, all, counts);
  comm.all_to_all_v(all, received, counts, counts);
  comm.reduce_scatter_v(all, block, counts, tutti::sum);
  check(block[0] == p * r, "reduce_scatter_v");

  tutti::Handle handle = comm.all_reduce_async(in, out, tutti::sum);
  handle.wait();
  check(handle.test(), "test");
  check(out[1] == p, "all_reduce_async");
  tutti::Plan plan = comm.plan_all_reduce(in, out, tutti::sum);
  plan.start();
  plan.wait();
  check(out[1] == p, "plan_all_reduce");

  tutti::Communicator copy = comm.duplicate();
  const std::optional<tutti::Communicator> part = comm.split(color, key);
  const tutti::Communicator node = comm.split_by_node();
  check(copy.size() == p && part->size() == p / 2 && node.size() == p, "split");
}

void exchange_messages(tutti::Communicator& comm) {
  const int p = comm.size();
  const int r = comm.rank();
  const int to = (r + 1) % p;
  const int from = (r + p - 1) % p;
  std::vector<int> data{r};
  std::vector<int> received(1);
  std::vector<tutti::Handle> handles;

  if (r % 2 == 0) {
    comm.send(data, to, {.tag = 7});
    comm.receive(received, from, {.tag = 7});
  } else {
    comm.receive(received, from, {.tag = 7});
    comm.send(data, to, {.tag = 7});
  }
  check(received[0] == from, "send");
  handles.push_back(comm.receive_async(received, from));
  handles.push_back(comm.send_async(data, to));
  comm.wait(handles);
  check(comm.test_all(handles), "test_all");
  comm.send_receive(data, to, received, from);
  data = comm.send_receive(data, to, from);
  check(data == received, "send_receive");

  handles.clear();
  handles.push_back(comm.send_async(data, to));
  const tutti::Envelope next = comm.probe(from);
  received.resize(static_cast<std::size_t>(next.count));
  comm.receive(received, next.rank, {.tag = next.tag});
  while (comm.wait_any(handles)) {
  }
  check(!comm.test_probe(from), "test_probe");
}

}  // namespace

int main() {
  tutti::run(4, [](tutti::Communicator& comm) {
    make_collectives(comm);
    exchange_messages(comm);
    if (comm.rank() == 0) std::printf("%d ranks: all calls gave the right results\n", comm.size());
  });
}

/// @file
/// A program whose ranks end in the way that the first argument names, for ending_test.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "tutti/tutti.hpp"

namespace {

using tutti::Communicator;
using tutti::Error;

/// Runs what is to throw, and says so.
void expect_error(const std::function<void()>& what) {
  try {
    what();
    std::printf("nothing thrown\n");
  } catch (const Error& error) {
    std::printf("caught: %s\n", error.what());
  }
}

int buffer[4];

/// Lets the other rank know that this one is there, and waits for what never comes.
void learn_from(Communicator& comm, int other) {
  comm.send(1, other);
  comm.receive<double>(other);
}

// Each returns what main returns.
const std::map<std::string, int (*)(Communicator&)> endings = {
    {"well",
     [](Communicator& comm) {
       comm.barrier();
       return 0;
     }},
    // An error on a communicator made by split, which the program knows.
    {"caught",
     [](Communicator& comm) {
       Communicator part = comm.split(0).value();
       expect_error([&] {
         int value = 0;
         part.broadcast(value, comm.rank());
         part.wait_all();
       });
       return 3;
     }},
    {"told",
     [](Communicator& comm) {
       Communicator part = comm.split(0).value();
       expect_error([&] {
         int value = 0;
         part.broadcast(value, comm.rank());
         part.wait_all();
       });
       comm.barrier();
       return 0;
     }},
    // Every rank is a root, and needs nothing from the others: only the end shows that they disagree, but to a rank
    // that is so late that the other has ended its call.
    {"untold",
     [](Communicator& comm) {
       int value = 0;
       try {
         comm.broadcast(value, comm.rank());
       } catch (const Error& error) {
         std::printf("caught: %s\n", error.what());
       }
       return 0;
     }},
    {"dropped",
     [](Communicator& comm) {
       Communicator part = comm.split(0).value();
       (void)part.broadcast_async(std::span(buffer), comm.rank());
       (void)part.barrier_async();
       try {
         for (int k = 0; k < 3; ++k) comm.barrier();
       } catch (const Error&) {
         // The other rank has come to its end.
       }
       return 0;
     }},
    {"outstanding",
     [](Communicator& comm) {
       if (comm.rank() == 1) {
         comm.receive<int>(0);
         tutti::Handle handle = comm.receive_async(std::span(buffer), 0);
         std::exit(7);
       }
       expect_error([&] { learn_from(comm, 1); });
       return 4;
     }},
    {"forgotten",
     [](Communicator& comm) {
       if (comm.rank() == 1) {
         comm.receive<int>(0);
         static tutti::Handle handle = comm.receive_async(std::span(buffer), 0);
         return 0;
       }
       expect_error([&] { learn_from(comm, 1); });
       return 0;
     }},
    // A sender in a reduction waits for nobody, and finds only at the end that the root does not come.
    {"missing",
     [](Communicator& comm) {
       int value = 1;
       if (comm.rank() == 1) comm.reduce(std::span(&value, 1), tutti::sum, 0);
       return 0;
     }},
    // Rank 0 has ended with its status, and its launcher has said so, while rank 1 is on its way to the same end.
    {"late",
     [](Communicator& comm) {
       Communicator part = comm.split(0).value();
       expect_error([&] {
         int value = 0;
         part.broadcast(value, comm.rank());
         part.wait_all();
       });
       if (comm.rank() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(100));
       return 3;
     }},
    // Rank 1 ends badly, and takes a while for it, when the others begin to miss it: each waits for it in a way of its
    // own.
    {"missed",
     [](Communicator& comm) {
       comm.barrier();
       if (comm.rank() == 1) {
         std::atexit([] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); });
         return 3;
       }
       std::vector<int> large(1 << 20);
       if (comm.rank() % 3 == 0) {
         comm.receive(std::span(large), 1);
       } else if (comm.rank() % 3 == 1) {
         comm.send(std::span<const int>(large), 1);
       } else {
         comm.receive<int>(tutti::any_rank);
       }
       return 0;
     }},
    {"missed in a collective",
     [](Communicator& comm) {
       comm.barrier();
       return comm.rank() == 1 ? 3 : comm.all_reduce(1, tutti::sum);
     }},
    // Rank 1 ends badly; rank 0 has all that it needs.
    {"alone",
     [](Communicator& comm) {
       comm.barrier();
       return comm.rank() == 1 ? 3 : 0;
     }},
};

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  return argc > 1 ? endings.at(argv[1])(tutti::world()) : 2;
}

/// @file
/// A communicator of Python's, and the operations that Python has dropped.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/python/extension/python.hpp"
#include "tutti/communicator.hpp"
#include "tutti/join.hpp"

namespace tutti::python {

/// A communicator on the thread that it belongs to.
class Rank {
 public:
  /// `owner`: the world that was joined for it, if one was.
  Rank(Communicator made, std::shared_ptr<JoinedWorld> owner);

  Communicator& communicator() { return communicator_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  const std::shared_ptr<JoinedWorld>& owner() const { return owner_; }
  /// A communicator of some or all of its ranks, of the same world.
  Rank with(Communicator made) const { return {std::move(made), owner_}; }

  /// Refuses a call by another thread than the one that has made it, with `Error(invalid_argument)`.
  void require_own_thread(const char* call) const {
    if (PyThread_get_thread_ident() != thread_) refuse_thread(call);
  }

 private:
  [[noreturn]] static void refuse_thread(const char* call);

  std::shared_ptr<JoinedWorld> owner_;
  Communicator communicator_;
  int rank_;
  int size_;
  unsigned long thread_;
};

/// The rank of a Communicator of Python's. Needs an object of that class.
inline Rank& rank_of(PyObject* self) { return value_of<Rank>(self); }

/// An operation that Python has dropped before it was done, with the memory that it needs: destroyed by the rank's own thread once
/// it is done, because Python may drop it on any thread.
class Dropped {
 public:
  virtual ~Dropped() = default;
  /// Whether its memory may go. Called by the rank's thread.
  virtual bool is_done() = 0;
  virtual bool is_of(unsigned long thread) const = 0;
};

/// Keeps it until it is done.
void keep_until_done(std::unique_ptr<Dropped> dropped);

/// Destroys what is done by now, of this thread. Each call that starts an operation calls it.
void sweep_dropped();

/// Adds Communicator to the module, with all that is no collective.
void add_communicator(py::module_& module);

/// Adds world(), join(), finalize() and abandon().
void add_worlds(py::module_& module);

}  // namespace tutti::python

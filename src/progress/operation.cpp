#include "progress/operation.hpp"

#include <fmt/format.h>

#include "progress/communicator_state.hpp"

namespace tutti::runtime {

void Operation::rethrow() const {
  if (state_ != State::failed) return;
  const Error error = communicator_->told_error();
  if (exception_) std::rethrow_exception(exception_);
  throw error;
}

bool Operation::tell(WaitState& wait_state) const {
  if (!wait_state.begin(id())) return false;
  // While a user's operator runs, the operation waits for that operator alone, of whose needs nothing is known.
  in_step_ ? wait_state.doubt() : tell_dependencies(wait_state);
  return true;
}

bool Operation::step() {
  if (in_step_) return false;
  in_step_ = true;
  const bool moved = try_to_advance();
  in_step_ = false;
  return moved;
}

bool Operation::try_to_advance() {
  try {
    const std::uint64_t parts = communicator_->moved_parts();
    const bool moved = advance() || communicator_->moved_parts() != parts;
    if (moved) ++moves_;
    return moved;
  } catch (...) {
    take_exception();
  }
  return true;
}

void Operation::take_exception() {
  Failure& failure = communicator_->failure();
  try {
    throw;
  } catch (const Unreachable& e) {
    failure.fail(e.code(), fmt::format("{}: {}", describe(), e.what()));
  } catch (const std::exception& e) {
    exception_ = std::current_exception();
    failure.fail(ErrorCode::peer_failed,
                 fmt::format("rank {} failed in {}: {}", communicator_->rank(), describe(), e.what()));
  } catch (...) {
    exception_ = std::current_exception();
    failure.fail(ErrorCode::peer_failed, fmt::format("rank {} failed in {}", communicator_->rank(), describe()));
  }
}

void Operation::break_off() {
  take_exception();
  static_cast<void>(communicator_->told_error());  // the caller throws what it has caught
  if (active()) fail();
}

void Operation::fail() {
  state_ = State::failed;
  communicator_->failure().withdraw();
}

void Operation::abandon() {
  // The first error counts, and of many operations each would make a sentence of its own.
  if (!communicator_->failure().failed()) {
    communicator_->failure().fail(
        ErrorCode::peer_failed, fmt::format("rank {} left its {} by an exception{}", communicator_->rank(), describe(),
                                            communicator_->cause()));
  }
  fail();
}

}  // namespace tutti::runtime

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

bool Operation::tell(Standing& standing) const {
  if (!standing.begin(deed())) return false;
  // While a user's operator runs, the operation waits for that operator alone, of whose needs nothing is known.
  in_step_ ? standing.doubt() : tell_needs(standing);
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
    const Channel& channel = communicator_->channel();
    const std::uint64_t parts = channel.parts();
    const bool moved = advance() || channel.parts() != parts;
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
  communicator_->failure().fail(
      ErrorCode::peer_failed,
      fmt::format("rank {} left its {} by an exception{}", communicator_->rank(), describe(), communicator_->cause()));
  fail();
}

}  // namespace tutti::runtime

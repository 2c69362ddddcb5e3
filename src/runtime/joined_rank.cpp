#include "runtime/joined_rank.hpp"

#include <exception>

#include "runtime/communicator_context.hpp"
#include "runtime/first_reporter.hpp"
#include "runtime/settings.hpp"

namespace tutti::runtime {

JoinedRank::JoinedRank(const Joined& joined, const RunOptions& options) {
  try {
    engine_ = std::make_shared<ProgressEngine>(joined.world, joined.rank, progress_of(options));
    communicator_.emplace(CommunicatorContext::make(engine_, joined.world->whole(joined.rank), timeout_of(options)));
  } catch (...) {
    joined.world->fail(joined.rank, text_of(std::current_exception()));
    joined.world->end(joined.rank);
    throw;
  }
}

void JoinedRank::close() {
  engine_->clear();
  engine_->close();
  engine_->world().close();
}

void JoinedRank::finish_and_close() {
  std::exception_ptr found;
  try {
    engine_->finish();
  } catch (const Error& error) {
    found = std::current_exception();
    if (!is_told_elsewhere(error)) engine_->fail(error.what());
  } catch (...) {
    found = std::current_exception();
    engine_->fail(text_of(found));
  }
  close();
  if (found) std::rethrow_exception(found);
}

}  // namespace tutti::runtime

#include <optional>

#include "runtime/communicator_context.hpp"
#include "runtime/message_calls.hpp"
#include "tutti/communicator.hpp"

namespace tutti {

using namespace runtime;

Envelope Messages::probe(int from, const MessageOptions& options) {
  check_receiving(context()->state(), 0, from, options);
  // A handle, because it forgets its operation under the guard: the match queue knows that, and the progress thread
  // looks there.
  Handle probing;
  {
    const ProgressEngine::Guard guard = context()->engine().guard();
    probing = {begin_receive(context(), std::nullopt, from, options.tag), context()->shared_engine()};
  }
  probing.wait();
  return probing.envelope();
}

std::optional<Envelope> Messages::test_probe(int from, const MessageOptions& options) {
  check_receiving(context()->state(), 0, from, options);
  ProgressEngine& engine = context()->engine();
  const ProgressEngine::Guard guard = engine.guard();
  engine.world().watch();  // a loop of these hears of a rank that is lost
  const auto operation = begin_receive(context(), std::nullopt, from, options.tag);
  operation->cancel();
  engine.look();
  if (operation->is_waiting()) return std::nullopt;
  return operation->envelope();
}

}  // namespace tutti

/// @file
/// What a text of one's own sees, and how it becomes an algorithm of the library.

#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "algorithms/own.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "lab/prove_once.hpp"
#include "schedule/script.hpp"
#include "tutti/lab.hpp"

namespace tutti::lab {
namespace {

// What lies before a buffer's beginning, and fewer than no elements, would be taken for other elements, or for none. An
// end that no number is would be taken for any.
void check_extent(std::int64_t first, std::int64_t count) {
  require(first >= 0 && count >= 0,
          "a slice begins at element 0 or behind it and has 0 elements or more, not {} from {}", count, first);
  constexpr std::int64_t most = std::int64_t{1} << 62;
  require(count <= most && first <= most - count,
          "a slice ends at element 2^62 or before it, not {} elements from {} on", count, first);
}

// A rank without such a buffer has blocks of no elements.
void check_block(const Script& script, int block, int blocks, std::string_view buffer) {
  const int known = blocks == 0 ? script.size() : blocks;
  require(block >= 0 && block < known, "rank {} has {} of {}, counted from 0, and so no block {}", script.rank(),
          counted(known, "block"), buffer, block);
}

tutti::Slice inside(const Slice& slice) {
  check_extent(slice.first, slice.count);
  return {static_cast<tutti::Buffer>(slice.buffer), slice.first, slice.count};
}

Slice outside(const tutti::Slice& slice) { return {static_cast<Buffer>(slice.buffer), slice.first, slice.count}; }

static_assert(static_cast<int>(Buffer::output) == static_cast<int>(tutti::Buffer::output));
static_assert(static_cast<int>(Buffer::scratch) == static_cast<int>(tutti::Buffer::scratch));

Message inside(const Slices& slices) {
  Message message;
  for (const Slice& slice : slices) message.push_back(inside(slice));
  return message;
}

// Names of phases last as long as the program runs; there are few.
std::string_view kept(std::string_view name) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> names;
  const std::lock_guard lock(mutex);
  return *names.emplace(name).first;
}

}  // namespace

int Rank::rank() const { return script_->rank(); }
int Rank::size() const { return script_->size(); }
int Rank::root() const { return script_->problem().root; }
int Rank::distance() const { return script_->problem().distance; }

Slice Rank::input() const { return outside(script_->input()); }
Slice Rank::input(int block) const {
  check_block(*script_, block, script_->blocks_of_input(), "input");
  return outside(script_->input(block));
}
Slice Rank::output() const { return outside(script_->output()); }
Slice Rank::output(int block) const {
  check_block(*script_, block, script_->blocks_of_output(), "output");
  return outside(script_->output(block));
}
Slice Rank::message() const { return outside(script_->message()); }
Slice Rank::scratch(std::int64_t first, std::int64_t count) {
  check_extent(first, count);
  return outside(script_->scratch(first, count));
}

void Rank::send(const Slices& message, int to) { script_->send(inside(message), to); }
void Rank::receive(const Slices& into, int from) { script_->receive(inside(into), from); }
void Rank::receive_reduce(const Slices& into, const Slices& mine, int from) {
  script_->receive_reduce(inside(into), inside(mine), from);
}
void Rank::copy(const Slices& to, const Slices& from) { script_->copy(inside(to), inside(from)); }
void Rank::reduce(const Slices& into, const Slices& left, const Slices& right) {
  script_->reduce(inside(into), inside(left), inside(right));
}
void Rank::wait() { script_->wait(); }
void Rank::phase(std::string_view name) { script_->phase(kept(name)); }

Algorithm::Algorithm(Collective collective, std::string_view name, Text text, Proving proving) {
  require(!name.empty(), "an algorithm needs a name");
  require(text != nullptr, "the algorithm '{}' needs a text", name);
  tutti::Algorithm algorithm{.collective = collective,
                             .summary = "An algorithm of this program.",
                             .when = "Where the program asks for it.",
                             .source = "the program"};
  algorithm.record = [text = std::move(text)](Script& me, const tutti::Problem&) {
    Rank rank(me);
    text(rank);
  };
  algorithm_ = &algorithms::add_own(std::string(name), std::move(algorithm),
                                    proving == Proving::before_first_call ? prove_once() : algorithms::Admission());
}

std::string_view Algorithm::name() const { return algorithm_->name; }

}  // namespace tutti::lab

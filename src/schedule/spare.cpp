#include "schedule/spare.hpp"

namespace tutti {

Spares*& Spares::outermost() {
  static thread_local Spares* spares = nullptr;
  return spares;
}

Spares::Spares() : is_outermost_(outermost() == nullptr) {
  static thread_local std::uint64_t spares_of_this_thread = 0;
  number_ = ++spares_of_this_thread;
  if (is_outermost_) outermost() = this;
}

Spares::~Spares() {
  if (is_outermost_) outermost() = nullptr;
}

}  // namespace tutti

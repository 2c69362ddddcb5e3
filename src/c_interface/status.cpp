#include "c_interface/status.hpp"

#include <array>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "tutti/tutti.h"

namespace tutti::c_interface {
namespace {

struct Kind {
  tutti_status status;
  ErrorCode code;
};

constexpr std::array kinds = {
    Kind{TUTTI_INVALID_ARGUMENT, ErrorCode::invalid_argument},
    Kind{TUTTI_UNSUPPORTED, ErrorCode::unsupported},
    Kind{TUTTI_MISMATCH, ErrorCode::mismatch},
    Kind{TUTTI_TIMEOUT, ErrorCode::timeout},
    Kind{TUTTI_PEER_FAILED, ErrorCode::peer_failed},
    Kind{TUTTI_INTERNAL, ErrorCode::internal},
};

constexpr std::array<const char*, 9> names = {"ok",       "invalid_argument", "unsupported",
                                              "mismatch", "timeout",          "peer_failed",
                                              "internal", "out_of_memory",    "callback_failed"};

std::string& sentence_of_thread() {
  thread_local std::string sentence;
  return sentence;
}

tutti_status status_of(ErrorCode code) {
  for (const Kind& kind : kinds) {
    if (kind.code == code) return kind.status;
  }
  return TUTTI_INTERNAL;
}

}  // namespace

tutti_status failed(tutti_status status, std::string_view sentence) noexcept {
  try {
    sentence_of_thread() = sentence;
  } catch (...) {
    sentence_of_thread().clear();
  }
  return status;
}

tutti_status failed_by_exception() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return failed(status_of(error.code()), error.what());
  } catch (const std::bad_alloc&) {
    return failed(TUTTI_OUT_OF_MEMORY, "no memory for the call");
  } catch (const std::exception& error) {
    return failed(TUTTI_CALLBACK_FAILED, error.what());
  } catch (...) {
    return failed(TUTTI_CALLBACK_FAILED, "a function of the program's has thrown what is no std::exception");
  }
}

void throw_status(tutti_status status, std::string_view function) {
  for (const Kind& kind : kinds) {
    if (kind.status == status && !sentence_of_thread().empty()) throw Error(kind.code, sentence_of_thread());
  }
  if (status == TUTTI_OUT_OF_MEMORY) throw std::bad_alloc();
  throw CallbackFailure(fmt::format("the {} has returned {}", function, status));
}

void require_pointer(const void* pointer, std::string_view function, std::string_view name) {
  require(pointer != nullptr, "{}: {} is NULL", function, name);
}

}  // namespace tutti::c_interface

using namespace tutti::c_interface;

int32_t tutti_api_version(void) { return TUTTI_API_VERSION; }

const char* tutti_last_error(void) { return sentence_of_thread().c_str(); }

const char* tutti_status_name(tutti_status status) {
  const bool is_status = status >= 0 && static_cast<std::size_t>(status) < names.size();
  return is_status ? names[static_cast<std::size_t>(status)] : "unknown";
}

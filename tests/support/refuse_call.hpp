/// @file
/// A system that lacks a call, or refuses it: for who must do without.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace tutti::test {

/// A call of the system, and what it answers.
struct RefusedCall {
  std::uint32_t call = 0;
  int error = 0;          ///< errno
  int argument = 0;       ///< index from 0 of the argument that must have the value
  std::uint32_t value{};  ///< this value in its lower half, if
  bool by_argument = false;
};

/// From here on the system refuses that call to this process and all that it starts. False where it does not permit
/// processes to have calls refused.
inline bool refuse_call(const RefusedCall& refused) {
  const auto argument_at = static_cast<std::uint32_t>(
      offsetof(seccomp_data, args) + static_cast<std::size_t>(refused.argument) * sizeof(std::uint64_t));
  const auto answer = SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(refused.error);
  // Both ways of the comparison lead to the refusal if the argument does not matter.
  const auto if_other = static_cast<std::uint8_t>(refused.by_argument ? 1 : 0);
  std::array<sock_filter, 6> code{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refused.call, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument_at),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refused.value, 0, if_other),
      BPF_STMT(BPF_RET | BPF_K, answer),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace tutti::test

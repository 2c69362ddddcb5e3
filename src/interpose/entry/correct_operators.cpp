#include "interpose/entry/correct_operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mpi_job/communicators/served_communicator.hpp"
#include "mpi_job/datatypes/mpi_types.hpp"
#include "mpi_job/job/mpi_job.hpp"
#include "mpi_job/job/reentrancy_guard.hpp"
#include "mpi_job/process/call_report.hpp"
#include "mpi_job/process/settings.hpp"

namespace tutti::interpose {
namespace {

using untyped::Primitive;
using untyped::Reduction;

#if MPI_VERSION >= 4
using CountOfOperator = MPI_Count;
#else
using CountOfOperator = int;
#endif

void fold(Reduction reduction, const void* left, void* into, std::int64_t n, Primitive primitive) {
  const void* const operands[] = {left, into};
  detail::kernel_for(reduction, primitive)(into, operands, 2, n, detail::Stores::cached, nullptr);
}

/// The function of an operator of the library's own.
template <Reduction reduction>
void combine(void* left, void* into, CountOfOperator* n, MPI_Datatype* type) {
  fold(reduction, left, into, *n, predefined_type(*type)->primitive);
}

/// An operator that is looked at.
struct Suspect {
  MPI_Op of_mpi;
  Reduction reduction;
  const char* name;
#if MPI_VERSION >= 4
  MPI_User_function_c* combine;
#else
  MPI_User_function* combine;
#endif
};

constexpr std::size_t number_of_suspects = 4;

const std::array<Suspect, number_of_suspects>& suspects() {
  static const std::array<Suspect, number_of_suspects> all{
      {{MPI_MIN, Reduction::minimum, "MPI_MIN", combine<Reduction::minimum>},
       {MPI_MAX, Reduction::maximum, "MPI_MAX", combine<Reduction::maximum>},
       {MPI_SUM, Reduction::sum, "MPI_SUM", combine<Reduction::sum>},
       {MPI_PROD, Reduction::product, "MPI_PROD", combine<Reduction::product>}}};
  return all;
}

/// All pairs of numbers near the ends of signed and unsigned integers of that many bytes, and near zero: more than fill
/// any vector, so that MPI combines some of them one by one.
std::array<std::vector<std::byte>, 2> operands_of(std::size_t size) {
  const std::uint64_t top = std::uint64_t{1} << (8 * size - 1);
  const std::uint64_t numbers[] = {0, 1, 2, 100, top - 2, top - 1, top, top + 1, top + (top - 2), top + (top - 1)};
  constexpr std::size_t n = std::size(numbers);
  constexpr std::size_t times = 2;  // so that each pair comes in a vector, and at its end
  std::array<std::vector<std::byte>, 2> operands;
  for (auto& each : operands) each.resize(times * n * n * size);
  for (std::size_t k = 0; k < times * n * n; ++k) {
    // Little-endian, as the library's other parts want it.
    std::memcpy(&operands[0][k * size], &numbers[k % n], size);
    std::memcpy(&operands[1][k * size], &numbers[k / n % n], size);
  }
  return operands;
}

bool is_right(const Suspect& op, MPI_Datatype handle, const MpiType& type) {
  const auto size = static_cast<std::size_t>(type.size);
  auto [left, by_mpi] = operands_of(size);
  std::vector<std::byte> expected = by_mpi;
  const std::size_t n = left.size() / size;
  // One by one, and all at once.
  for (const std::size_t at_once : {std::size_t{1}, n}) {
    auto result = by_mpi;
    for (std::size_t k = 0; k < n; k += at_once)
      PMPI_Reduce_local(&left[k * size], &result[k * size], static_cast<int>(at_once), handle, op.of_mpi);
    if (at_once == 1) fold(op.reduction, left.data(), expected.data(), static_cast<std::int64_t>(n), type.primitive);
    if (result != expected) return false;
  }
  return true;
}

/// Suspects that are wrong on a type, by its handle: a bit for each. Types on which all are right are not there.
using WrongOn = std::unordered_map<std::uintptr_t, unsigned>;

/// Asks MPI, which takes some hundred microseconds. Each of these operators is defined on all of these types.
WrongOn found_wrong() {
  const ReentrancyGuard guard;
  WrongOn wrong;
  for (const MPI_Datatype handle :
       {MPI_SIGNED_CHAR, MPI_SHORT,    MPI_INT,      MPI_LONG,          MPI_LONG_LONG,     MPI_INT8_T,
        MPI_INT16_T,     MPI_INT32_T,  MPI_INT64_T,  MPI_UNSIGNED_CHAR, MPI_UINT8_T,       MPI_UNSIGNED_SHORT,
        MPI_UINT16_T,    MPI_UNSIGNED, MPI_UINT32_T, MPI_UINT64_T,      MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG,
        MPI_AINT,        MPI_OFFSET,   MPI_COUNT,    MPI_INTEGER,       MPI_INTEGER1,      MPI_INTEGER2,
        MPI_INTEGER4,    MPI_INTEGER8}) {
    const MpiType* const type = handle == MPI_DATATYPE_NULL ? nullptr : predefined_type(handle);
    if (type == nullptr || type->primitive == Primitive::none) continue;
    for (std::size_t k = 0; k < suspects().size(); ++k) {
      if (!is_right(suspects()[k], handle, *type)) wrong[key_of(handle)] |= 1U << k;
    }
  }
  return wrong;
}

/// The suspect that the operator is, where it is wrong on that type; null elsewhere.
const Suspect* wrong_one(MPI_Op op, MPI_Datatype type) {
  const auto found =
      std::find_if(suspects().begin(), suspects().end(), [&](const Suspect& each) { return each.of_mpi == op; });
  if (found == suspects().end() || predefined_type(type) == nullptr) return nullptr;
  static const WrongOn all = found_wrong();
  const auto wrong = all.find(key_of(type));
  const auto bit = 1U << static_cast<unsigned>(found - suspects().begin());
  return wrong == all.end() || (wrong->second & bit) == 0 ? nullptr : &*found;
}

/// The operator that stands for that one; made once, and never freed. MPI_OP_NULL where MPI makes none.
MPI_Op own_operator(const Suspect& suspect) {
  static const auto all = [] {
    std::array<MPI_Op, number_of_suspects> made{};
    for (std::size_t k = 0; k < made.size(); ++k) {
      made[k] = MPI_OP_NULL;
#if MPI_VERSION >= 4
      PMPI_Op_create_c(suspects()[k].combine, 1, &made[k]);
#else
      PMPI_Op_create(suspects()[k].combine, 1, &made[k]);
#endif
    }
    return made;
  }();
  return all[static_cast<std::size_t>(&suspect - suspects().data())];
}

std::string name_of_type(MPI_Datatype type) {
  char name[MPI_MAX_OBJECT_NAME] = {};
  int length = 0;
  PMPI_Type_get_name(type, name, &length);
  return name;
}

/// "MPI_MAX of MPI_UNSIGNED is wrong in this MPI, which compares these numbers as signed ones".
std::string words_of(const Suspect& wrong, MPI_Datatype handle) {
  const MpiType& type = *predefined_type(handle);
  const bool is_unsigned = type.primitive == Primitive::uint8 || type.primitive == Primitive::uint16 ||
                           type.primitive == Primitive::uint32 || type.primitive == Primitive::uint64;
  const char* const how = is_unsigned ? "signed" : "unsigned";
  return fmt::format("{} of {} is wrong in this MPI, which compares these numbers as {} ones", wrong.name,
                     name_of_type(handle), how);
}

/// Whether this is the first time for this operator on this type, in that function where one is named.
bool is_news(const Suspect& wrong, MPI_Datatype type, const char* function) {
  static std::mutex mutex;
  static auto& told = *new std::set<std::pair<std::string, std::string>>;
  const std::lock_guard lock(mutex);
  return told.emplace(words_of(wrong, type), function).second;
}

bool is_heard() { return is_checked() || CountedCall::is_counted(); }

/// The MPI standard says nothing of sums that are too large: where MPI's and this library's differ, neither is wrong.
bool is_mistake(const Suspect& suspect) {
  return suspect.reduction == Reduction::minimum || suspect.reduction == Reduction::maximum;
}

}  // namespace

MPI_Op correct_operator(MPI_Op op, MPI_Datatype type, std::optional<MPI_Comm> comm, const char* function,
                        const void* entry) {
  if (!is_job_ready()) return op;
  const Suspect* const wrong = wrong_one(op, type);
  // MPI calls this on a communicator that goes, and finds no state there: see Freeing.
  if (wrong == nullptr || ReentrancyGuard::is_reentrant(entry)) return op;
  ServedCommunicator* const on = comm ? state_known_of(*comm) : nullptr;
  const bool may_replace = !comm || (on != nullptr && on->has_library_on_all());
  const MPI_Op own = may_replace ? own_operator(*wrong) : MPI_OP_NULL;
  own != MPI_OP_NULL ? tell_wrong_operator(op, type) : tell_wrong_operator_in(function, op, type);
  return own != MPI_OP_NULL ? own : op;
}

void tell_wrong_operator(MPI_Op op, MPI_Datatype type) {
  if (!is_heard() || job().rank != 0 || !is_job_ready()) return;
  const Suspect* const wrong = wrong_one(op, type);
  if (wrong == nullptr || !is_mistake(*wrong) || !is_news(*wrong, type, "")) return;
  say(fmt::format(
      "{}; tutti combines them rightly in all collectives of this program, which without it needs another MPI",
      words_of(*wrong, type)));
}

void tell_wrong_operator_in(const char* function, MPI_Op op, MPI_Datatype type) {
  if (!is_heard() || !is_job_ready()) return;
  const Suspect* const wrong = wrong_one(op, type);
  if (wrong == nullptr || !is_mistake(*wrong) || !is_news(*wrong, type, function)) return;
  say(fmt::format(
      "rank {} of {}: {}: {}, and tutti cannot replace it there; combine other elements, or use another MPI",
      job().rank, job().size, function, words_of(*wrong, type)));
}

}  // namespace tutti::interpose

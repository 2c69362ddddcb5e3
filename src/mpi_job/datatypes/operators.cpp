#include "mpi_job/datatypes/operators.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tutti::interpose {
namespace {

using detail::Stores;
using untyped::Primitive;
using untyped::Reduction;

const std::unordered_map<std::uintptr_t, Reduction>& library_operators() {
  static const std::unordered_map<std::uintptr_t, Reduction> all = {
      {key_of(MPI_SUM), Reduction::sum},          {key_of(MPI_PROD), Reduction::product},
      {key_of(MPI_MIN), Reduction::minimum},      {key_of(MPI_MAX), Reduction::maximum},
      {key_of(MPI_LAND), Reduction::logical_and}, {key_of(MPI_LOR), Reduction::logical_or},
      {key_of(MPI_LXOR), Reduction::logical_xor}, {key_of(MPI_BAND), Reduction::bitwise_and},
      {key_of(MPI_BOR), Reduction::bitwise_or},   {key_of(MPI_BXOR), Reduction::bitwise_xor},
  };
  return all;
}

bool is_location(MPI_Op op) { return op == MPI_MINLOC || op == MPI_MAXLOC; }

/// into = left ∘ into, on packed elements.
void fold_from_left(const void* left, void* into, std::int64_t n, const OperatorHandles& handles) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  const MpiType& type = handles.type;
  for (std::int64_t k = 0; k < n; k += most) {
    const auto count = static_cast<int>(std::min(most, n - k));
    const auto at = static_cast<std::size_t>(k * type.size);
    PMPI_Reduce_local(static_cast<const std::byte*>(left) + at, static_cast<std::byte*>(into) + at, count, type.handle,
                      handles.op);
  }
}

/// Memory for some elements as the program's type lays them out, which begins as well aligned as the program's would.
class LaidOut {
 public:
  LaidOut(std::int64_t count, MPI_Datatype type) {
    MPI_Aint lower = 0;
    MPI_Aint span = 0;
    MPI_Aint bound = 0;
    MPI_Aint extent = 0;
    PMPI_Type_get_true_extent(type, &lower, &span);
    PMPI_Type_get_extent(type, &bound, &extent);
    // The first byte that any of them has, seen from where the first element is.
    const std::int64_t further = (count - 1) * extent;
    const std::int64_t begin = lower + std::min<std::int64_t>(further, 0);
    const std::int64_t before = begin & (alignment - 1);
    memory_ = memory_of(before + span + std::abs(further));
    first_ = memory_.get() + before - begin;
  }

  std::byte* first() const { return first_; }

 private:
  static constexpr std::int64_t alignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
  std::unique_ptr<std::byte[]> memory_;
  std::byte* first_;
};

/// Folds elements that are not plain: MPI's function sees them as this rank's type lays them out.
void fold_unpacked(const std::byte* left, std::byte* into, std::int64_t n, const OperatorHandles& handles) {
  const MpiType& type = handles.type;
  constexpr std::int64_t at_once = 512;
  const LaidOut first(std::min(n, at_once), type.handle);
  const LaidOut second(std::min(n, at_once), type.handle);
  for (std::int64_t k = 0; k < n; k += at_once) {
    const std::int64_t count = std::min(at_once, n - k);
    const std::int64_t at = k * type.size;
    unpack(left + at, count, type, first.first());
    unpack(into + at, count, type, second.first());
    PMPI_Reduce_local(first.first(), second.first(), static_cast<int>(count), type.handle, handles.op);
    pack(second.first(), count, type, into + at);
  }
}

/// A kernel: from right to left, because MPI_Reduce_local puts its second operand on the right, and the result there.
void fold_by_mpi(void* into, const void* const* operands, int count, std::int64_t n, Stores, const void* state) {
  const auto& handles = *static_cast<const OperatorHandles*>(state);
  const auto bytes = static_cast<std::size_t>(n * handles.type.size);
  const void* const last = operands[count - 1];
  // An operand that lies where the result goes, and is not the last, is kept elsewhere.
  std::unique_ptr<std::byte[]> kept;
  if (into != last) {
    if (std::find(operands, operands + count - 1, into) != operands + count - 1) {
      kept = memory_of(static_cast<std::int64_t>(bytes));
      std::memcpy(kept.get(), into, bytes);
    }
    std::memcpy(into, last, bytes);
  }
  for (int k = count - 2; k >= 0; --k) {
    const void* const left = operands[k] == into ? kept.get() : operands[k];
    if (handles.type.is_plain) {
      fold_from_left(left, into, n, handles);
    } else {
      fold_unpacked(static_cast<const std::byte*>(left), static_cast<std::byte*>(into), n, handles);
    }
  }
}

/// Empty for what is no pair of a value and its place.
std::string_view name_of_pair(MPI_Datatype type) {
  static const std::array<std::pair<MPI_Datatype, std::string_view>, 9> pairs{{
      {MPI_2INT, "two integers"},
      {MPI_2INTEGER, "two integers"},
      {MPI_FLOAT_INT, "float and int"},
      {MPI_DOUBLE_INT, "double and int"},
      {MPI_LONG_INT, "long and int"},
      {MPI_SHORT_INT, "short and int"},
      {MPI_LONG_DOUBLE_INT, "long double and int"},
      {MPI_2REAL, "two reals"},
      {MPI_2DOUBLE_PRECISION, "two double precisions"},
  }};
  for (const auto& [handle, name] : pairs) {
    if (handle == type) return name;
  }
  return {};
}

/// Predefined operators that MPI carries out on types that the library's kernels do not know.
bool goes_together(MPI_Op op, MPI_Datatype type) {
  if (is_location(op)) return !name_of_pair(type).empty();
  const bool is_arithmetic = op == MPI_SUM || op == MPI_PROD;
  if (type == MPI_LONG_DOUBLE) return is_arithmetic || op == MPI_MIN || op == MPI_MAX;
  return (type == MPI_C_LONG_DOUBLE_COMPLEX || type == MPI_CXX_LONG_DOUBLE_COMPLEX) && is_arithmetic;
}

/// Whether MPI defines the library's operator on this predefined type.
bool is_defined(Reduction reduction, const MpiType& type) {
  const bool is_logical =
      reduction == Reduction::logical_and || reduction == Reduction::logical_or || reduction == Reduction::logical_xor;
  const bool is_bitwise =
      reduction == Reduction::bitwise_and || reduction == Reduction::bitwise_or || reduction == Reduction::bitwise_xor;
  if (type.handle == MPI_CHAR) return false;
  // MPI defines them on Fortran's logicals alone; MPICH has them for integers, too.
  const bool is_fortran_integer = type.handle == MPI_INTEGER || type.handle == MPI_INTEGER4;
  if (is_logical && is_fortran_integer && !is_mpich) return false;
  if (type.handle == MPI_BYTE) return is_bitwise;
  if (type.handle == MPI_LOGICAL || type.handle == MPI_C_BOOL || type.handle == MPI_CXX_BOOL) return is_logical;
  return detail::kernel_for(reduction, type.primitive) != nullptr;
}

/// Made once: a short reduction takes no longer than the hash of a name.
const ServedReduction& library_folding(Reduction reduction, Primitive primitive) {
  static const auto all = [] {
    std::array<std::array<ServedReduction, detail::primitive_kinds>, detail::reduction_kinds> table;
    for (std::size_t r = 1; r < table.size(); ++r) {
      for (std::size_t p = 1; p < table[r].size(); ++p) {
        const auto kind = static_cast<Reduction>(r);
        const auto type = static_cast<Primitive>(p);
        if (detail::kernel_for(kind, type) != nullptr)
          table[r][p] = {untyped::type_of(type), untyped::built_in(kind, type)};
      }
    }
    return table;
  }();
  return all[static_cast<std::size_t>(reduction)][static_cast<std::size_t>(primitive)];
}

/// Whether the program's operator is one. Handles of MPICH are numbers: for any other it would call a handler of the
/// program's, but not on a communicator of this rank's own.
bool is_operator(const OperatorHandles& handles) {
  std::byte none{};
  return !is_mpich ||
         PMPI_Allreduce(MPI_IN_PLACE, &none, 0, handles.type.handle, handles.op, quiet_self()) == MPI_SUCCESS;
}

/// Name by which ranks compare operators that are not the library's. Of two of the program's own nothing shows on
/// another rank whether they are the same.
std::string_view name_of_mpi(MPI_Op op) {
  if (op == MPI_MAXLOC) return "MPI_MAXLOC";
  if (op == MPI_MINLOC) return "MPI_MINLOC";
  if (op == MPI_REPLACE) return "MPI_REPLACE";
  return op == MPI_NO_OP ? "MPI_NO_OP" : "of the program's own";
}

untyped::Operator operator_of_mpi(const OperatorHandles& handles) {
  int commutes = 0;
  PMPI_Op_commutative(handles.op, &commutes);
  const std::string_view name = name_of_mpi(handles.op);
  return untyped::caller_defined(fold_by_mpi, &handles, commutes != 0, detail::hash_of(name), name);
}

}  // namespace

std::string_view elements_of(MPI_Op op, const MpiType& type) {
  if (!is_predefined(op) || !type.is_predefined) return {};
  if (is_location(op)) return name_of_pair(type.handle);
  return type.primitive == Primitive::none ? std::string_view() : detail::name_of(type.primitive);
}

bool is_predefined(MPI_Op op) {
  return library_operators().contains(key_of(op)) || is_location(op) || op == MPI_REPLACE || op == MPI_NO_OP;
}

std::optional<ServedReduction> reduction_of(MPI_Op op, const MpiType& type, OperatorHandles& handles) {
  handles = {op, type};
  // Programs repeat themselves, and predefined handles stand for the same for ever.
  thread_local std::uintptr_t latest_op = 0;
  thread_local MPI_Datatype latest_type = MPI_DATATYPE_NULL;
  thread_local const ServedReduction* latest = nullptr;
  if (latest != nullptr && latest_op == key_of(op) && latest_type == type.handle) return *latest;
  if (is_predefined(op)) {
    if (!type.is_predefined) return std::nullopt;
    const auto own = library_operators().find(key_of(op));
    if (own != library_operators().end() && type.primitive != Primitive::none) {
      if (!is_defined(own->second, type)) return std::nullopt;
      latest = &library_folding(own->second, type.primitive);
      latest_op = key_of(op);
      latest_type = type.handle;
      return *latest;
    }
    if (!goes_together(op, type.handle)) return std::nullopt;
  }
  constexpr MPI_Count largest = std::numeric_limits<std::uint32_t>::max();
  if (type.size == 0 || type.size > largest || !is_operator(handles)) return std::nullopt;
  const std::string_view known = elements_of(op, type);
  return ServedReduction{
      untyped::type_of_bytes(static_cast<std::uint32_t>(type.size), known.empty() ? "elements of MPI" : known),
      operator_of_mpi(handles)};
}

}  // namespace tutti::interpose

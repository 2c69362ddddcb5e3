/// @file
/// Calls without types: what the templates of the other headers hand to the library, and what bindings to other
/// languages and layers that know their types only at run time call directly.
///
///     tutti::untyped::Call call{.collective = tutti::Collective::all_reduce};
///     call.input = in;
///     call.input_size = call.output_size = n;
///     call.output = out;
///     call.type = tutti::untyped::type_of(tutti::untyped::Primitive::single);
///     call.op = tutti::untyped::built_in(tutti::untyped::Reduction::sum, call.type.primitive);
///     comm.run(call);                            // or comm.start(call), comm.plan(call)
///
/// A call is checked as a typed one is, and fails with the same errors; the compiler's checks alone are missing:
/// element types, constness and lifetimes are the caller's business. It costs what the typed call costs.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tutti/collective.hpp"
#include "tutti/detail/datatype.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/detail/operator.hpp"
#include "tutti/options.hpp"

namespace tutti::untyped {

/// The element types that the library's own operators work on.
using detail::Primitive;
/// The library's own operators.
using detail::Reduction;

/// The integer of a size and sign.
using detail::integer_of;
/// Type of an element: `primitive`, `size` in bytes, and an `identity` and `name` by which ranks compare their types.
using detail::Datatype;
/// Operator on two elements: a kernel that combines arrays, or none.
using detail::Operator;

/// Returns the element type of a primitive. Throws `Error(invalid_argument)` for `none` and what is no primitive. Cost:
/// a look-up.
TUTTI_API Datatype type_of(Primitive primitive);
/// Elements of `size` bytes that are only moved, or combined by an operator of the caller's. Ranks must agree on size
/// and name; `name` must outlive all calls. Throws `Error(invalid_argument)` for a size of 0. Cost: a pass over the
/// name.
TUTTI_API Datatype type_of_bytes(std::uint32_t size, std::string_view name);

/// Returns the library's operator on a primitive. Throws `Error(unsupported)` where it does not apply, like bitwise_and
/// to floats, and `Error(invalid_argument)` for what is no reduction or primitive. Cost: a look-up.
TUTTI_API Operator built_in(Reduction reduction, Primitive primitive);
/// Returns the sum, divided once by the number of ranks; for floating-point and complex primitives. Errors: as
/// built_in(). Cost: a look-up.
TUTTI_API Operator built_in_average(Primitive primitive);
/// An operator of the caller's: a kernel as described in detail/operator.hpp, which is called with `state`, which must
/// outlive all calls and may be null. `identity` must be the same on all ranks, and another one for each operator;
/// `name` must outlive all calls. Without `commutative` the order of ranks is kept. No errors. Cost: none.
TUTTI_API Operator caller_defined(detail::Kernel kernel, const void* state, bool commutative, std::uint64_t identity,
                                  std::string_view name);

/// Options of a call that gives none.
inline const CollectiveOptions default_options{};

/// One rank's arguments of one collective. What a collective does not use stays as it is here.
///
/// | collective | input_size | output_size | also |
/// |---|---|---|---|
/// | broadcast | – | m | root; in_place is true: the message lies in `output` |
/// | reduce | m | m at the root | op, root |
/// | all_reduce, scan, exclusive_scan | m | m | op |
/// | scatter | p·m at the root | m | root |
/// | gather | m | p·m at the root | root |
/// | all_gather | m | p·m | |
/// | reduce_scatter | p·m | m | op |
/// | all_to_all | p·m | p·m | |
/// | shift | m | m | distance |
/// | barrier | – | – | |
///
/// With `by_counts` the p blocks have `counts[r]` elements instead of m each.
///
/// Input and output are apart, or the same elements where `in_place` is possible, or one is the rank's own block of the
/// other: see lies_in_own_block(). Other overlaps are refused with `Error(invalid_argument)`.
struct Call {
  Collective collective = Collective::barrier;  ///< call that is made
  const void* input = nullptr;                  ///< elements that the rank gives; null where it gives none
  std::int64_t input_size = 0;                  ///< elements, here and below
  void* output = nullptr;                       ///< place of the result; null where the rank gets none
  std::int64_t output_size = 0;                 ///< elements
  bool in_place = false;        ///< the input lies in `output`; reduce, all_reduce and the scans can do that
  bool read_only = false;       ///< broadcast: `output` is only read, which the root alone may ask for
  bool by_counts = false;       ///< scatter, gather, all_gather, reduce_scatter, all_to_all and shift
  bool counts_at_root = false;  ///< gather and scatter by counts: `counts` is read at the root alone
  std::span<const std::int64_t> counts = {};  ///< p; all-to-all: what this rank sends to each
  /// First elements of the blocks of `counts` in their buffer; empty: one after the other. They lie in the output of
  /// gather and all_gather, and in the input of the others. A matter of this rank alone.
  std::span<const std::int64_t> displacements = {};
  std::span<const std::int64_t> receive_displacements = {};  ///< all-to-all: the same for the output
  std::span<const std::int64_t> receive_counts = {};         ///< p; all-to-all: what this rank receives from each
  int root = 0;
  int distance = 0;
  Datatype type = {};
  Operator op = {};
  const CollectiveOptions* options = &default_options;  ///< must outlive the call that takes this
};

/// A call with nothing set.
TUTTI_API extern const Call unset_call;

/// Whether the input of rank `rank` is its own block of the output, in an all_gather and at the root of a gather; or
/// the output its own block of the input, at the root of a scatter. Such a call is made without a copy of the block. No
/// errors. Cost: of calls by counts, a pass over the counts; of others none.
TUTTI_API bool lies_in_own_block(const Call& call, int rank);

/// The elements of a message.
struct Parcel {
  void* data = nullptr;    ///< only read where they are sent
  std::int64_t count = 0;  ///< elements
  Datatype type = {};      ///< type of an element
};

}  // namespace tutti::untyped

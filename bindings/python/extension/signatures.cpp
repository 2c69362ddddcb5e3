#include "bindings/python/extension/signatures.hpp"

#include <fmt/format.h>

#include "bindings/python/extension/errors.hpp"

namespace tutti::python {
namespace {

using enum Parameter;

constexpr Signature rows[] = {
    {"broadcast",
     Collective::broadcast,
     false,
     {a, root},
     2,
     "broadcast(a, root=0): a of rank `root` goes into a of every rank; returns a.\n\na: an array of m elements, the "
     "same m and dtype on every rank; it may be read-only at the\nroot. Of a number the root's is returned. Cost: at "
     "least ts log2 p for short messages,\ntw m b for long ones."},
    {"reduce",
     Collective::reduce,
     false,
     {a, op, root, out},
     4,
     "reduce(a, op=sum, root=0, out=None): x(0) op ... op x(p-1) at rank `root`; None elsewhere.\n\na: m elements on "
     "every rank. out: where the root's result goes, which may be a itself; else\na new array. Cost: at least ts log2 "
     "p, or tw m b."},
    {"all_reduce",
     Collective::all_reduce,
     false,
     {a, op, out},
     3,
     "all_reduce(a, op=sum, out=None): x(0) op ... op x(p-1) on every rank, with the same bits.\n\na: m elements, or "
     "one number. out: where the result goes, which may be a itself; else a new\narray like a, or a number. Cost: at "
     "least ts log2 p, or 2 tw m b (p - 1)/p."},
    {"scan",
     Collective::scan,
     false,
     {a, op, out},
     3,
     "scan(a, op=sum, out=None): x(0) op ... op x(r) on rank r.\n\na, out: as of all_reduce. Cost: at least ts log2 "
     "p."},
    {"exclusive_scan",
     Collective::exclusive_scan,
     false,
     {a, op, out},
     3,
     "exclusive_scan(a, op=sum, out=None): x(0) op ... op x(r-1) on rank r.\n\nOn rank 0 out stays as it is, and None "
     "is returned where none was given. Cost: as scan."},
    {"scatter",
     Collective::scatter,
     false,
     {a, root, out},
     3,
     "scatter(a, root=0, out=None): block r of the root's a goes to rank r.\n\na: p*m elements at the root, None "
     "elsewhere. out: m elements, needed on the other ranks; at\nthe root else a new array, of a p-th of the first "
     "dimension. Cost: at least ts log2 p + tw\n(p - 1) m b."},
    {"gather",
     Collective::gather,
     false,
     {a, root, out},
     3,
     "gather(a, root=0, out=None): the blocks of all ranks, by rank, at the root; None elsewhere.\n\na: m elements. "
     "out: p*m elements at the root, else a new array, joined along the first\ndimension. Cost: as scatter."},
    {"all_gather",
     Collective::all_gather,
     false,
     {a, out},
     2,
     "all_gather(a, out=None): the blocks of all ranks, by rank, on every rank.\n\na: m elements. out: p*m elements, "
     "else a new array, joined along the first dimension; of\nnumbers an array of p. Cost: at least ts log2 p + tw (p "
     "- 1) m b."},
    {"reduce_scatter",
     Collective::reduce_scatter,
     false,
     {a, op, out},
     3,
     "reduce_scatter(a, op=sum, out=None): block r of x(0) op ... op x(p-1) on rank r.\n\na: p*m elements. out: m "
     "elements, else a new array, of a p-th of the first dimension. Cost:\nat least ts log2 p + tw (p - 1) m b."},
    {"all_to_all",
     Collective::all_to_all,
     false,
     {a, out},
     2,
     "all_to_all(a, out=None): block s of rank r becomes block r of rank s.\n\na, out: p*m elements. Cost: at least "
     "ts + tw (p - 1) m b."},
    {"shift",
     Collective::shift,
     false,
     {a, distance, out},
     3,
     "shift(a, distance=1, out=None): a of rank r goes to rank (r + distance) mod p.\n\na, out: m elements. Cost: at "
     "least ts + tw m b."},
    {"barrier",
     Collective::barrier,
     false,
     {},
     0,
     "barrier(): returns when all ranks have called it. Cost: ts log2 p."},
    {"scatter_v",
     Collective::scatter,
     true,
     {a, counts, root, out},
     4,
     "scatter_v(a, counts, root=0, out=None): as scatter, with counts[r] elements in block r.\n\nEvery rank gives the "
     "same counts."},
    {"gather_v",
     Collective::gather,
     true,
     {a, counts, root, out},
     4,
     "gather_v(a, counts=None, root=0, out=None): as gather, of blocks of counts[r] elements.\n\nWithout counts, on "
     "every rank, they are found by an all_gather of 8 bytes a rank. A new\narray has one dimension."},
    {"all_gather_v",
     Collective::all_gather,
     true,
     {a, counts, out},
     3,
     "all_gather_v(a, counts=None, out=None): as all_gather, of blocks of counts[r] elements.\n\nWithout counts, on "
     "every rank, they are found by an all_gather of 8 bytes a rank. A new\narray has one dimension."},
    {"reduce_scatter_v",
     Collective::reduce_scatter,
     true,
     {a, counts, op, out},
     4,
     "reduce_scatter_v(a, counts, op=sum, out=None): as reduce_scatter, with counts[r] elements in\nblock r."},
    {"all_to_all_v",
     Collective::all_to_all,
     true,
     {a, counts, receive_counts, out},
     4,
     "all_to_all_v(a, counts, receive_counts=None, out=None): as all_to_all, of counts[s] elements\nfor rank s and "
     "receive_counts[s] from it.\n\nWithout receive_counts, on every rank, they are found by an all_to_all of 8 bytes "
     "a "
     "rank. A\nnew array has one dimension."},
    {"shift_v",
     Collective::shift,
     true,
     {a, counts, distance, out},
     4,
     "shift_v(a, counts=None, distance=1, out=None): as shift, of counts[r] elements of rank r.\n\nWithout counts, on "
     "every rank, they are found by an all_gather of 8 bytes a rank."},
};

}  // namespace

std::span<const Signature> signatures() { return rows; }

Collective collective_named(std::string_view name) {
  for (const Signature& signature : rows) {
    if (!signature.by_counts && name == signature.name) return signature.collective;
  }
  refuse(
      fmt::format("there is no collective '{}': they are named as the methods of Communicator, like all_reduce", name));
}

}  // namespace tutti::python

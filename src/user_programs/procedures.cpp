#include "user_programs/procedures.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "base/text/embedded.hpp"

namespace tutti {

extern const std::span<const EmbeddedFile> procedure_files;

namespace {

bool is_same_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

constexpr std::string_view two = "a power of two of ranks";
constexpr std::string_view square = "a square number of ranks";
constexpr std::string_view any = "";
constexpr std::string_view right = "";
constexpr std::string_view sends_first =
    "Every process sends before it receives: where no send is buffered, all of them wait for ever.";

// Returns the text of examples/procedures/NAME.txt.
std::string_view procedure_text(const std::string& name) { return embedded_text(procedure_files, name + ".txt"); }

const std::vector<Procedure>& table() {
  static const std::vector<Procedure> all{
      {"procedure-1", "GENERAL_ONE_TO_ALL_BC(d, my_id, source, X)", Collective::broadcast, "binomial", two,
       procedure_text("procedure-1.printed"), "", right},
      {"procedure-2", "ALL_TO_ONE_REDUCE(d, my_id, m, X, sum)", Collective::reduce, "binomial", two,
       procedure_text("procedure-2.printed"), "", right},
      {"procedure-3", "ALL_TO_ALL_BC_RING(my_id, my_msg, p, result)", Collective::all_gather, "ring", any,
       procedure_text("procedure-3.printed"), procedure_text("procedure-3.mended"), sends_first},
      {"procedure-4", "ALL_TO_ALL_BC_MESH(my_id, my_msg, p, result)", Collective::all_gather, "mesh", square,
       procedure_text("procedure-4.printed"), procedure_text("procedure-4.mended"), sends_first},
      {"procedure-5", "ALL_TO_ALL_BC_HCUBE(my_id, my_msg, d, result)", Collective::all_gather, "recursive-doubling",
       two, procedure_text("procedure-5.printed"), procedure_text("procedure-5.mended"), sends_first},
      {"procedure-6", "PREFIX_SUMS_HCUBE(my_id, my_number, d, result)", Collective::scan, "recursive-doubling", two,
       procedure_text("procedure-6.printed"), procedure_text("procedure-6.mended"), sends_first},
      {"procedure-7", "ALL_TO_ALL_PERSONAL(d, my_id)", Collective::all_to_all, "pairwise", two,
       procedure_text("procedure-7.printed"), procedure_text("procedure-7.mended"), sends_first},
      {"procedure-8", "ONE_TO_ALL_BC(d, my_id, X)", Collective::broadcast, "binomial", two,
       procedure_text("procedure-8.printed"), "", right},
      {"procedure-9", "SINGLE_NODE_ACC(d, my_id, m, X, sum)", Collective::reduce, "binomial", two,
       procedure_text("procedure-9.printed"), "", right},
      {"procedure-10", "all-to-one reduce for any P", Collective::reduce, "binomial", two,
       procedure_text("procedure-10.printed"), procedure_text("procedure-10.mended"),
       "With P no power of two a process waits for a partner that does not exist."},
      {"procedure-11", "scatter(In[1:m][1:P], root, Out[1:m])", Collective::scatter, "linear", any,
       procedure_text("procedure-11.printed"), procedure_text("procedure-11.mended"),
       "The root keeps no column for itself: its Out stays empty."},
      {"procedure-12", "NCCL Bruck algorithm", Collective::all_to_all, "bruck", any,
       procedure_text("procedure-12.printed"), procedure_text("procedure-12.mended"),
       "What is received is never used, and the last loop reads blocks that it has overwritten; "
       "'tutti gallery bruck-as-printed' shows it."},
      {"procedure-13", "circular exchange", Collective::shift, "ring", any, procedure_text("procedure-13.printed"), "",
       right},
  };
  return all;
}

}  // namespace

std::span<const Procedure> procedures() { return table(); }

std::string_view source_name(const Procedure& procedure) {
  return procedure.title.substr(0, procedure.title.find('('));
}

std::optional<ProcedureText> procedure_named(std::string_view name) {
  constexpr std::string_view ending = "-mended";
  const bool mended = name.ends_with(ending);
  if (mended) name.remove_suffix(ending.size());
  const auto all = procedures();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Procedure& each) {
    return each.name == name || is_same_but_for_case(source_name(each), name);
  });
  if (found == all.end() || (mended && found->mended.empty())) return std::nullopt;
  return ProcedureText{&*found, mended};
}

}  // namespace tutti

#include "bench/rivals/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/units.hpp"
#include "measure/statistics.hpp"
#include "schedule/problem.hpp"

namespace tutti::bench {
namespace {

std::string in_words(std::optional<double> microseconds) {
  if (!microseconds) return "-";
  const int digits = *microseconds < 10 ? 2 : *microseconds < 100 ? 1 : 0;
  return fmt::format("{:.{}f}", *microseconds, digits);
}

std::string size_of(const measure::Cell& cell) {
  return cell.collective == Collective::barrier ? "-" : text_of(Bytes{cell.bytes});
}

std::optional<double> quotient(std::optional<double> above, std::optional<double> below) {
  return above && below && *below > 0 ? std::optional(*above / *below) : std::nullopt;
}

std::string ratio_in_words(std::optional<double> ratio) { return ratio ? fmt::format("{:.2f}", *ratio) : "-"; }

std::string row_of(const Figures& figures) {
  const auto ours = figures.of(Contender::tutti_processes);
  const auto threads = figures.of(Contender::tutti_threads);
  return fmt::format("{:>5} {:<15}{:>7} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>9} {:>9} {:>8}\n",
                     figures.cell.ranks, name_of(figures.cell.collective), size_of(figures.cell), in_words(ours),
                     in_words(threads), in_words(figures.of(Contender::open_mpi)),
                     in_words(figures.of(Contender::mpich)), in_words(figures.of(Contender::gloo)),
                     in_words(figures.limit()), ratio_in_words(quotient(figures.best_mpi(), ours)),
                     ratio_in_words(quotient(figures.best_mpi(), threads)),
                     ratio_in_words(quotient(figures.limit(), ours ? ours : threads)));
}

// The ratios of the cells with that many ranks, and the cells below 1.
std::string summary_of(const std::vector<Figures>& all, int ranks, Contender ours, bool gloo) {
  std::vector<double> ratios;
  std::string slower;
  for (const Figures& figures : all) {
    if (figures.cell.ranks != ranks) continue;
    const auto theirs = gloo ? figures.of(Contender::gloo) : figures.best_mpi();
    const auto ratio = quotient(theirs, figures.of(ours));
    if (!ratio) continue;
    ratios.push_back(*ratio);
    if (*ratio < 1)
      slower += fmt::format("{}{} {} {:.2f}", slower.empty() ? "; slower: " : ", ", name_of(figures.cell.collective),
                            size_of(figures.cell), *ratio);
  }
  if (ratios.empty()) return {};
  return fmt::format("{} ranks, {} beside {}: geometric mean {:.2f}, least {:.2f}, {} cells{}\n", ranks, title_of(ours),
                     gloo ? "Gloo" : "the better MPI", measure::geometric_mean(ratios),
                     *std::min_element(ratios.begin(), ratios.end()), ratios.size(), slower);
}

nlohmann::ordered_json or_null(std::optional<double> value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

std::optional<double> Figures::of(Contender contender) const {
  const auto found = rounds.find(contender);
  return found == rounds.end() ? std::nullopt : std::optional(measure::median_of(found->second));
}

double Figures::limit() const { return *std::min_element(limit_rounds.begin(), limit_rounds.end()); }

std::optional<double> Figures::best_mpi() const {
  const auto first = of(Contender::open_mpi);
  const auto second = of(Contender::mpich);
  return first && second ? std::min(first, second) : first ? first : second;
}

std::string table_of(const std::vector<Figures>& all) {
  std::string text = fmt::format("{:>5} {:<15}{:>7} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>9} {:>9} {:>8}\n",
                                 "RANKS", "COLLECTIVE", "SIZE", "PROCESSES", "THREADS", "OPEN MPI", "MPICH", "GLOO",
                                 "LIMIT", "MPI/PROC", "MPI/THR", "OF LIMIT");
  std::set<int> ranks;
  for (const Figures& figures : all) {
    text += row_of(figures);
    ranks.insert(figures.cell.ranks);
  }
  text += "Medians in microseconds. MPI/…: the better of the MPIs over tutti, with processes and with threads.\n\n";
  for (const int p : ranks) {
    for (const Contender ours : {Contender::tutti_processes, Contender::tutti_threads}) {
      text += summary_of(all, p, ours, false);
      text += summary_of(all, p, ours, true);
    }
  }
  return text;
}

nlohmann::ordered_json json_of(const std::vector<Figures>& all, const std::string& machine,
                               const std::vector<std::string>& commands) {
  auto cells = nlohmann::ordered_json::array();
  for (const Figures& figures : all) {
    for (const Contender ours : {Contender::tutti_processes, Contender::tutti_threads}) {
      cells.push_back({{"collective", name_of(figures.cell.collective)},
                       {"bytes", figures.cell.bytes},
                       {"ranks", figures.cell.ranks},
                       {"transport", ours == Contender::tutti_processes ? "processes" : "threads"},
                       {"tutti_us", or_null(figures.of(ours))},
                       {"openmpi_us", or_null(figures.of(Contender::open_mpi))},
                       {"mpich_us", or_null(figures.of(Contender::mpich))},
                       {"gloo_us", or_null(figures.of(Contender::gloo))},
                       {"limit_us", figures.limit()}});
    }
  }
  return {{"machine", machine}, {"cells", cells}, {"commands", commands}};
}

}  // namespace tutti::bench

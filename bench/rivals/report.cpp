#include "bench/rivals/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/units.hpp"
#include "measure/pace.hpp"
#include "schedule/model/problem.hpp"

namespace tutti::bench {
namespace {

using enum measure::BufferReuse;
using measure::BufferReuse;

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
  const auto ours = figures.of(Contender::tutti_processes, rotating);
  const auto threads = figures.of(Contender::tutti_threads, rotating);
  const auto mpi = figures.best_mpi(rotating);
  std::string row =
      fmt::format("{:>5} {:<15}{:>7}", figures.cell.ranks, name_of(figures.cell.collective), size_of(figures.cell));
  for (const auto& figure :
       {ours, threads, figures.of(Contender::open_mpi, rotating), figures.of(Contender::mpich, rotating),
        figures.of(Contender::gloo, rotating), std::optional(figures.limit())})
    row += fmt::format("{:>10}", in_words(figure));
  for (const auto& ratio :
       {quotient(mpi, ours), quotient(mpi, threads), quotient(figures.limit(), ours ? ours : threads)})
    row += fmt::format("{:>9}", ratio_in_words(ratio));
  for (const BufferReuse use : {warm, fresh}) {
    const auto of_processes = figures.of(Contender::tutti_processes, use);
    const auto of_threads = figures.of(Contender::tutti_threads, use);
    const auto of_mpi = figures.best_mpi(use);
    for (const auto& figure : {of_processes, of_threads, of_mpi}) row += fmt::format("{:>10}", in_words(figure));
    for (const auto& ratio : {quotient(of_mpi, of_processes), quotient(of_mpi, of_threads)})
      row += fmt::format("{:>9}", ratio_in_words(ratio));
  }
  return row + "\n";
}

/// Whose figures are compared with whose.
struct Beside {
  Contender ours;
  bool gloo = false;
  BufferReuse use = BufferReuse::rotating;
};

// The ratios of the cells with that many ranks, and the cells below 1.
std::string summary_of(const std::vector<Figures>& all, int ranks, const Beside& beside) {
  std::vector<double> ratios;
  std::string slower;
  for (const Figures& figures : all) {
    if (figures.cell.ranks != ranks) continue;
    const auto theirs = beside.gloo ? figures.of(Contender::gloo, beside.use) : figures.best_mpi(beside.use);
    const auto ratio = quotient(theirs, figures.of(beside.ours, beside.use));
    if (!ratio) continue;
    ratios.push_back(*ratio);
    if (*ratio < 1)
      slower += fmt::format("{}{} {} {:.2f}", slower.empty() ? "; slower: " : ", ", name_of(figures.cell.collective),
                            size_of(figures.cell), *ratio);
  }
  if (ratios.empty()) return {};
  return fmt::format("{} ranks, {}{} beside {}: geometric mean {:.2f}, least {:.2f}, {} cells{}\n", ranks,
                     title_of(beside.ours),
                     beside.use == rotating ? ""
                     : beside.use == warm   ? ", warm"
                                            : ", fresh",
                     beside.gloo ? "Gloo" : "the better MPI", measure::geometric_mean(ratios),
                     *std::min_element(ratios.begin(), ratios.end()), ratios.size(), slower);
}

nlohmann::ordered_json or_null(std::optional<double> value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

std::optional<double> Figures::of(Contender contender, BufferReuse use) const {
  const auto found = with(use).find(contender);
  return found == with(use).end() ? std::nullopt : std::optional(measure::median_of(found->second));
}

double Figures::limit() const { return *std::min_element(limit_rounds.begin(), limit_rounds.end()); }

std::optional<double> Figures::best_mpi(BufferReuse use) const {
  const auto first = of(Contender::open_mpi, use);
  const auto second = of(Contender::mpich, use);
  return first && second ? std::min(first, second) : first ? first : second;
}

std::string table_of(const std::vector<Figures>& all) {
  std::string text = fmt::format("{:>5} {:<15}{:>7}", "RANKS", "COLLECTIVE", "SIZE");
  for (const auto* title : {"PROCESSES", "THREADS", "OPEN MPI", "MPICH", "GLOO", "LIMIT"})
    text += fmt::format("{:>10}", title);
  for (const auto* title : {"MPI/PROC", "MPI/THR", "OF LIMIT"}) text += fmt::format("{:>9}", title);
  for (const char kind : {'W', 'F'}) {
    for (const auto* title : {"PROC", "THR", "MPI"}) text += fmt::format("{:>10}", fmt::format("{}. {}", kind, title));
    for (const auto* title : {"M/P", "M/T"}) text += fmt::format("{:>9}", fmt::format("{}. {}", kind, title));
  }
  text += "\n";
  std::set<int> ranks;
  for (const Figures& figures : all) {
    text += row_of(figures);
    ranks.insert(figures.cell.ranks);
  }
  text +=
      "Medians in microseconds. MPI/…, M/…: the better of the MPIs over tutti, with processes and with threads.\n"
      "W.: warm, the same buffers for all calls. F.: fresh, memory that is allocated and touched for a call, and "
      "freed\n"
      "after it. All others change their buffers from call to call.\n\n";
  for (const int p : ranks) {
    for (const Contender ours : {Contender::tutti_processes, Contender::tutti_threads}) {
      for (const bool gloo : {false, true}) {
        for (const BufferReuse use : {rotating, warm, fresh}) text += summary_of(all, p, {ours, gloo, use});
      }
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
                       {"tutti_us", or_null(figures.of(ours, rotating))},
                       {"openmpi_us", or_null(figures.of(Contender::open_mpi, rotating))},
                       {"mpich_us", or_null(figures.of(Contender::mpich, rotating))},
                       {"gloo_us", or_null(figures.of(Contender::gloo, rotating))},
                       {"tutti_warm_us", or_null(figures.of(ours, warm))},
                       {"openmpi_warm_us", or_null(figures.of(Contender::open_mpi, warm))},
                       {"mpich_warm_us", or_null(figures.of(Contender::mpich, warm))},
                       {"gloo_warm_us", or_null(figures.of(Contender::gloo, warm))},
                       {"tutti_fresh_us", or_null(figures.of(ours, fresh))},
                       {"openmpi_fresh_us", or_null(figures.of(Contender::open_mpi, fresh))},
                       {"mpich_fresh_us", or_null(figures.of(Contender::mpich, fresh))},
                       {"gloo_fresh_us", or_null(figures.of(Contender::gloo, fresh))},
                       {"limit_us", figures.limit()}});
    }
  }
  return {{"machine", machine}, {"cells", cells}, {"commands", commands}};
}

}  // namespace tutti::bench

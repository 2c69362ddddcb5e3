/// @file
/// Matrices of nvidia-smi as logs, terminals and chats paste them: decorated in any way, a matrix is the same network;
/// what is none is refused in one sentence.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "topology/formats/gpu_models.hpp"
#include "topology/formats/nvidia_smi_matrix.hpp"
#include "topology/graph.hpp"
#include "tutti/error.hpp"

namespace tutti {
namespace {

using testing::HasSubstr;
using testing::Not;

using Lines = std::vector<std::string>;

std::string refusal(const std::string& text) {
  try {
    topology_from_nvidia_smi(text, "topo.txt");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string network_of(const std::string& text) {
  return json_of_topology(*topology_from_nvidia_smi(text, "topo.txt"));
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// Draws one of several.
class Dice {
 public:
  explicit Dice(std::uint32_t seed) : generator_(seed) {}
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(generator_); }
  template <typename T>
  const T& one_of(const std::vector<T>& all) {
    return all[below(all.size())];
  }

 private:
  std::mt19937 generator_;
};

// A matrix of 1 to 8 GPUs with any entries, columns parted by tabs; perhaps with network cards, and a legend.
Lines any_matrix(Dice& dice) {
  const std::size_t n = 1 + dice.below(8);
  const std::size_t cards = dice.below(3);
  std::vector<Lines> entries(n, Lines(n, " X "));
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < a; ++b)
      entries[a][b] = entries[b][a] =
          dice.one_of<std::string>({"NV1", "NV2", "NV4", "NV18", "PIX", "PXB", "PHB", "NODE", "SYS"});
  }
  Lines lines{""};
  for (std::size_t b = 0; b < n; ++b) lines[0] += fmt::format("\tGPU{}", b);
  for (std::size_t c = 0; c < cards; ++c) lines[0] += fmt::format("\tNIC{}", c);
  lines[0] += "\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID";
  for (std::size_t a = 0; a < n; ++a) {
    lines.push_back(fmt::format("GPU{}", a));
    for (const std::string& entry : entries[a]) lines.back() += '\t' + entry;
    for (std::size_t c = 0; c < cards; ++c) lines.back() += "\tSYS";
    lines.back() += "\t0-71\t0,2\t\tN/A";
  }
  for (std::size_t c = 0; c < cards; ++c) {
    lines.push_back(fmt::format("NIC{}", c));
    for (std::size_t b = 0; b < n; ++b) lines.back() += "\tSYS";
    lines.back() += "\t X ";
  }
  for (const char* line :
       {"", "Legend:", "", "  X    = Self", "  NV#  = Connection traversing a bonded set of # NVLinks"})
    lines.emplace_back(line);
  return lines;
}

void underline(Lines& lines, Dice& dice) {
  const std::string mark = dice.one_of<std::string>(
      {"\x1b[", "[", "^[[", "\\u001b[", "\\x1b[", "\\033[", "#033[", "\xef\xbf\xbd[", "\xc2\x9b"});
  lines[0] =
      dice.below(2) == 0 ? mark + "4m" + lines[0] + mark + "0m" : "\t" + mark + "4m" + lines[0].substr(1) + mark + "0m";
}

// Colors lines like 'grep --color' and pagers do with what they look for.
void color(Lines& lines, Dice& dice) {
  const std::string mark = dice.one_of<std::string>({"\x1b[", "[", "^[[", "\\u001b[", "\\x1b[", "\\033[", "#033["});
  for (const char* word : {"NV1", "NV2", "PIX", "SYS", "GPU", " X "}) {
    if (dice.below(2) == 0) continue;
    const std::string end = std::string(word) == "GPU" || word[0] == 'N' ? "" : mark + "0m";
    for (std::string& line : lines) line = replaced(line, word, mark + "01;32m" + word + end);
  }
}

void part_otherwise(Lines& lines, Dice& dice) {
  const std::string gap = dice.one_of<std::string>(
      {"    ", "\xc2\xa0 \xc2\xa0 ", " | ", "\xe2\x94\x82", "\\t", "\xe3\x80\x80", "&nbsp;", "\xe2\x80\x89"});
  const bool bars = gap == " | ";
  for (std::string& line : lines) line = (bars ? "| " : "") + replaced(line, "\t", gap) + (bars ? " |" : "");
  if (bars) lines.insert(lines.begin() + 1, "|---|---|");
}

void begin_lines(Lines& lines, Dice& dice) {
  const std::string prefix = dice.one_of<std::string>({"> ",
                                                       ">> ",
                                                       "+ ",
                                                       "- ",
                                                       "+",
                                                       "-",
                                                       "# ",
                                                       "// ",
                                                       "* ",
                                                       "    ",
                                                       "0: ",
                                                       "[1,0]<stdout>:",
                                                       "[1,0]<stdout>: ",
                                                       "2026-01-02T03:04:05.123Z ",
                                                       "2026-01-02T03:04:05.123456789Z stdout F ",
                                                       "Jan 02 03:04:05 host app[123]: ",
                                                       "[2026-01-02 03:04:05,678] INFO: ",
                                                       "(Worker pid=123, ip=10.0.0.1) ",
                                                       "  12\t",
                                                       "node-07: ",
                                                       "[rank0]: ",
                                                       "\xef\xbb\xbf",
                                                       "| "});
  for (std::string& line : lines) line.insert(0, prefix);
}

void stand_among_others(Lines& lines, Dice& dice) {
  const Lines before =
      dice.one_of<Lines>({{"$ nvidia-smi topo -m"}, {"```"}, {"Visible devices: GPU0 GPU1", ""}, {"GPU0 is ready"}});
  lines.insert(lines.begin(), before.begin(), before.end());
  // Peers as 'nvidia-smi topo -p2p r' prints them: no matrix of links.
  const Lines after = dice.one_of<Lines>({{"```"}, {" \tGPU0\tGPU1", " GPU0\tX\tOK", " GPU1\tOK\tX"}, {"GPU1: 54 C"}});
  lines.insert(lines.end(), after.begin(), after.end());
}

std::string in_two_bytes(const std::string& text) {
  std::string wide = "\xff\xfe";
  for (const char c : text) wide += {c, '\0'};
  return wide;
}

TEST(PastedMatrix, IsTheSameNetworkHoweverItIsDecorated) {
  constexpr std::uint32_t seed = 40;
  SCOPED_TRACE(fmt::format("seed {}", seed));
  Dice dice(seed);
  for (int round = 0; round < 1500; ++round) {
    Lines lines = any_matrix(dice);
    const std::string plain = joined(lines);
    const std::string expected = network_of(plain);
    if (dice.below(2) == 0) underline(lines, dice);
    if (dice.below(3) == 0) color(lines, dice);
    if (dice.below(2) == 0) part_otherwise(lines, dice);
    if (dice.below(3) == 0) {
      const Lines again = lines;
      lines.insert(lines.end(), again.begin(), again.end());
    }
    for (std::size_t times = dice.below(3); times > 0; --times) begin_lines(lines, dice);
    if (dice.below(2) == 0) stand_among_others(lines, dice);
    std::string text = joined(lines);
    if (dice.below(3) == 0) text = replaced(text, "\n", "\r\n");
    const std::size_t mark = dice.below(4);
    if (mark == 0) text.insert(0, "\xef\xbb\xbf");
    const bool is_plain = text.find_first_of("\xc2\xe2\xe3\xef") == std::string::npos;
    if (mark == 1 && is_plain) text = in_two_bytes(text);
    EXPECT_EQ(network_of(text), expected) << "round " << round << "\n" << text;
    if (HasFailure()) return;
  }
}

TEST(PastedMatrix, OfAContainersLogIsRead) {
  const std::string log = R"({"log":"\u001b[4m\tGPU0\tGPU1\tCPU Affinity\u001b[0m\n","stream":"stdout"})"
                          "\n"
                          R"({"log":"GPU0\t X \tNV4\t0-3\n","stream":"stdout"})"
                          "\n"
                          R"({"log":"GPU1\tNV4\t X \t0-3\n","stream":"stdout"})";
  EXPECT_EQ(network_of(log), network_of("\tGPU0\tGPU1\nGPU0\tX\tNV4\nGPU1\tNV4\tX\n"));
  const std::string page =
      "<tr><td></td><td>GPU0</td><td>GPU1</td></tr><tr><td>GPU0</td><td>X</td><td>NV4</td></tr>"
      "<tr><td>GPU1</td><td>NV4</td><td>X</td></tr>";
  EXPECT_EQ(network_of(page), network_of(log));
}

// Any row that is lost, cut, or says something else is named, in one line.
TEST(PastedMatrix, SaysWhatIsWrongInOneSentence) {
  constexpr std::uint32_t seed = 41;
  SCOPED_TRACE(fmt::format("seed {}", seed));
  Dice dice(seed);
  for (int round = 0; round < 500; ++round) {
    const Lines good = any_matrix(dice);
    std::size_t n = 0;
    while (good[n + 1].starts_with("GPU")) ++n;
    const std::size_t row = 1 + dice.below(n);
    const std::string gpu = fmt::format("GPU{}", row - 1);
    Lines lost = good;
    lost.erase(lost.begin() + static_cast<std::ptrdiff_t>(row));
    EXPECT_THAT(refusal(joined(lost)), HasSubstr("topo.txt: the row of " + gpu + " is missing"));
    Lines strange = good;
    strange[row].replace(strange[row].find('\t') + 1, 3, "ABC");
    const std::string said = refusal(joined(strange));
    EXPECT_THAT(said, HasSubstr("the entry \"ABC"));
    EXPECT_THAT(said, HasSubstr("\" for " + gpu));
    EXPECT_THAT(said, Not(HasSubstr("\n")));
  }
  const std::string two = "\tGPU0\tGPU1\nGPU0\tX\tNV4\nGPU1\tNV4\tX\n";
  EXPECT_EQ(refusal(two), "");
  EXPECT_EQ(
      refusal(replaced(two, "NV4", "N/A")),
      "topo.txt: nvidia-smi could not tell how GPU0 and GPU1 are connected (N/A); write NV#, PIX, PXB, PHB, NODE or "
      "SYS in its place");
  EXPECT_EQ(refusal(two + "GPU1\tNV2\tX\n"),
            "topo.txt: GPU1 has two rows that differ, as the matrices of two machines have; keep one matrix");
  EXPECT_THAT(refusal("\tGPU0\tGPU1\nGPU0\tX\tNV4\nGPU1\tX\tNV4\n"), HasSubstr("GPU1"));
  EXPECT_EQ(refusal("\tGPU0\tGPU1\nGPU0\tX\nGPU1\tNV4\tX\n"), "topo.txt: the row of GPU0 has 1 entry, not 2");
  EXPECT_EQ(refusal("GPU0\tX\tNV4\nGPU1\tNV4\tX\n"),
            "topo.txt: there is no line of columns, 'GPU0 GPU1 …', as 'nvidia-smi topo -m' prints it");
  EXPECT_EQ(
      refusal("==== Weight between two GPUs ====\n   GPU0 GPU1\nGPU0 0 15\nGPU1 15 0\n"),
      "topo.txt: there is no matrix of nvidia-smi; it seems to be what 'rocm-smi --showtopo' prints: describe its "
      "links as FILE.json");
}

// GPUs are called by the names of their columns, which need not follow one another.
TEST(PastedMatrix, MayLeaveOutGpus) {
  EXPECT_EQ(topology_from_nvidia_smi("\tGPU0\tGPU2\nGPU0\tX\tNV12\nGPU2\tNV12\tX\n", "a.txt")->ranks(), 2);
  EXPECT_THAT(refusal("\tGPU0\tGPU2\nGPU0\tX\tNV12\nGPU2\tNV11\tX\n"), HasSubstr("GPU0 and GPU2 disagree"));
  EXPECT_EQ(topology_from_nvidia_smi("\tGPU0\tNIC0\tCPU Affinity\nGPU0\t X \tSYS\t0-71\n", "a.txt")->ranks(), 1);
}

constexpr const char* pairs =
    "\tGPU0\tGPU1\tGPU2\tGPU3\tNIC0\n"
    "GPU0\t X \tNV12\tNODE\tNODE\tSYS\nGPU1\tNV12\t X \tNODE\tNODE\tSYS\n"
    "GPU2\tNODE\tNODE\t X \tNV12\tSYS\nGPU3\tNODE\tNODE\tNV12\t X \tSYS\n";

double speed_between(const Topology& network, int from, int to) {
  return network.link(route_of(network, from, to)[0]).cost.lanes / *network.usual_tw();
}

// Bytes a second between two GPUs over the host, and what is said of them.
std::pair<double, std::string> over_host(const std::string& text, std::optional<int> pcie = {}) {
  std::string assumption;
  const TopologyPtr network = topology_from_nvidia_smi(text, "a.txt", pcie, &assumption);
  return {speed_between(*network, 0, 2), assumption};
}

TEST(Pcie, IsWhatTheCallerSaysOrTheGpuThatIsNamedOrTheFifth) {
  const std::array speeds{15.75e9, 31.5e9, 63e9, 121e9};
  for (int generation = oldest_pcie; generation <= newest_pcie; ++generation) {
    const auto [speed, assumption] = over_host(pairs, generation);
    EXPECT_NEAR(speed, speeds[static_cast<std::size_t>(generation - oldest_pcie)], 1);
    EXPECT_EQ(assumption, "");
  }
  EXPECT_NEAR(over_host(pairs).first, 63e9, 1);
  EXPECT_EQ(
      over_host(pairs).second,
      "a.txt: PCIe 5.0 is assumed, 63 GB/s each way, because the text names no GPU; --pcie 3|4|5|6 says otherwise");
  // The number of NVLinks says nothing of PCIe.
  for (const char* links : {"NV1", "NV4", "NV6", "NV18"})
    EXPECT_NEAR(over_host(replaced(pairs, "NV12", links)).first, 63e9, 1) << links;
  for (const GpuModel& model : gpu_models()) {
    const std::string list = fmt::format("GPU 0: NVIDIA {}-80GB (UUID: GPU-1)\n", model.name);
    const auto [speed, assumption] = over_host(list + pairs);
    EXPECT_NEAR(speed, speeds[static_cast<std::size_t>(model.pcie - oldest_pcie)], 1) << model.name;
    EXPECT_THAT(assumption, HasSubstr(fmt::format("because the text names the {};", model.name)));
    EXPECT_NEAR(over_host(list + pairs, 3).first, 15.75e9, 1) << "the caller goes first";
    EXPECT_EQ(over_host(fmt::format("node-{}-07\n", model.name) + pairs).second.find(model.name) == std::string::npos,
              model.is_short);
  }
  for (const int generation : {2, 7})
    EXPECT_THROW(topology_from_nvidia_smi(pairs, "a.txt", generation), Error) << generation;
}

TEST(Pcie, IsNotSpokenOfWhereNoPairUsesTheHost) {
  std::string assumption;
  topology_from_nvidia_smi("\tGPU0\tGPU1\nGPU0\tX\tNV4\nGPU1\tNV4\tX\n", "a.txt", {}, &assumption);
  EXPECT_EQ(assumption, "");
}

// A DGX-2's GPUs show all their six NVLinks for every pair, and so do four of them: only the name tells.
TEST(GpuModels, SayHowFastAndHowManyNvlinksAre) {
  const std::string four = replaced(pairs, "NODE", "NV6");
  const std::string all = replaced(four, "NV12", "NV6");
  EXPECT_EQ(topology_from_nvidia_smi(all, "a.txt")->nodes(), 4);
  const TopologyPtr switched = topology_from_nvidia_smi("Tesla V100-SXM3-32GB\n" + all, "a.txt");
  EXPECT_EQ(switched->nodes(), 5);
  EXPECT_NEAR(speed_between(*switched, 0, 2), 150e9, 1);
  const TopologyPtr blackwell = topology_from_nvidia_smi("NVIDIA B200\n" + replaced(four, "NV6", "NV12"), "a.txt");
  EXPECT_NEAR(speed_between(*blackwell, 0, 2), 600e9, 1);
}

}  // namespace
}  // namespace tutti

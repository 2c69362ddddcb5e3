/// @file
/// Glossary: every word has a meaning, a use and commands that work, and docs/glossary.md is made from it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/glossary/glossary.hpp"
#include "app/reports/explain/words_explained.hpp"
#include "support/command.hpp"
#include "user_programs/procedures.hpp"

namespace tutti::app {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::vector<const GlossaryTerm*> all_terms() {
  std::vector<const GlossaryTerm*> terms;
  for (const GlossaryChapter& chapter : glossary()) {
    for (const GlossaryTerm& term : chapter.terms) terms.push_back(&term);
  }
  return terms;
}

std::vector<std::string> names_of(const GlossaryTerm& term) {
  std::vector<std::string> names{term.word};
  names.insert(names.end(), term.aliases.begin(), term.aliases.end());
  return names;
}

test::Ran tutti(const std::string& arguments) {
  return test::run_command("/usr/bin/env", {"-u", "COLUMNS", "sh", "-c", "'" TUTTI_COMMAND "' " + arguments});
}

TEST(Glossary, ExplainsEachTerm) {
  for (const GlossaryTerm* term : all_terms()) {
    const std::string& meaning = term->meaning;
    const auto sentences = std::count(meaning.begin(), meaning.end(), '.');
    EXPECT_GE(sentences, 1) << term->word;
    EXPECT_GE(meaning.size(), 80U) << term->word;
    EXPECT_LE(meaning.size(), 640U) << term->word << " takes more than a few sentences";
    EXPECT_TRUE(meaning.ends_with('.')) << term->word;
    EXPECT_TRUE(term->used.ends_with('.')) << term->word;
    EXPECT_FALSE(term->next.empty()) << term->word;
  }
}

TEST(Glossary, HasEachNameOnce) {
  std::map<std::string, std::string> owners;
  for (const GlossaryTerm* term : all_terms()) {
    for (const std::string& spelled : names_of(*term)) {
      const std::string name = usual_word(spelled);
      const auto [owner, is_new] = owners.emplace(name, term->word);
      EXPECT_TRUE(is_new) << name << " is in " << owner->second << " and in " << term->word;
      EXPECT_EQ(term_called(name), term);
    }
  }
  EXPECT_GE(owners.size(), 200U);
}

TEST(Glossary, AnswersInEverySpelling) {
  const GlossaryTerm* const code = term_called("gray-code");
  ASSERT_NE(code, nullptr);
  for (const char* spelling : {"Gray code", "GRAY CODE", "gray_code", "gray-code", "格雷码"}) {
    EXPECT_EQ(term_called(spelling), code) << spelling;
  }
  EXPECT_EQ(term_called("grey matter"), nullptr);
}

// A command may write a file, and may read the examples.
TEST(Glossary, HasCommandsThatWork) {
  const fs::path folder = fs::path(testing::TempDir()) / ("tutti-glossary-" + std::to_string(getpid()));
  fs::create_directories(folder);
  fs::create_directory_symlink(TUTTI_PROJECT_DIR "/examples", folder / "examples");
  std::set<std::string> commands;
  for (const GlossaryTerm* term : all_terms()) commands.insert(term->next.begin(), term->next.end());
  std::string script = "cd '" + folder.string() + "'\ntutti() { '" TUTTI_COMMAND "' \"$@\"; }\n";
  for (const std::string& command : commands) {
    EXPECT_TRUE(command.starts_with("tutti ")) << command;
    script += command + " > out 2> error || echo '" + command + "' \"$(cat error)\"\n";
  }
  EXPECT_EQ(test::run_command("/bin/sh", {"-c", script}).out, "");
  fs::remove_all(folder);
}

TEST(Glossary, IsTheDocument) {
  std::ifstream file(TUTTI_PROJECT_DIR "/docs/glossary.md");
  const std::string kept{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(list_words(false, true).text, kept) << "run: tutti list --words --markdown > docs/glossary.md";
}

TEST(ExplainWord, KnowsWordsOfTheSources) {
  for (const char* word : {"ring",
                           "binomial",
                           "Gray code",
                           "E-cube",
                           "bucketing",
                           "XOR",
                           "dual",
                           "deadlock",
                           "rendezvous",
                           "store-and-forward",
                           "cut-through",
                           "S&F",
                           "CT",
                           "packet routing",
                           "alpha",
                           "beta",
                           "ts",
                           "tw",
                           "th",
                           "E-cube routing",
                           "bisection",
                           "diameter",
                           "congestion",
                           "single-ported",
                           "virtual process",
                           "SPMD",
                           "template",
                           "重新排列",
                           "超立方体",
                           "汉明距离",
                           "mesh-pat",
                           "dragonfly",
                           "swing-multi-port"}) {
    EXPECT_TRUE(is_known_word(word)) << word;
    EXPECT_FALSE(explain_word(word, false).text.empty());
  }
}

TEST(ExplainWord, NamesProceduresAsTheirSourcesDo) {
  for (const Procedure& procedure : procedures())
    EXPECT_EQ(procedure_named(source_name(procedure)).value().procedure, &procedure);
  EXPECT_EQ(procedure_named("prefix_sums_hcube").value().procedure,
            procedure_named("PREFIX_SUMS_HCUBE").value().procedure);
  const std::string told = tutti("explain ALL_TO_ALL_BC_RING --ranks 4").out;
  EXPECT_THAT(told, HasSubstr("procedure-3"));
  EXPECT_THAT(told, HasSubstr("left := (my_id - 1) mod p"));
  EXPECT_THAT(told, HasSubstr("i = 1; i = 2; i = 3  ")) << "each turn of the loop once";
  EXPECT_THAT(tutti("explain ALL_TO_ONE_REDUCE --ranks 4").out, HasSubstr("procedure-2"));
  EXPECT_THAT(tutti("explain all-to-one-reduce").out, testing::StartsWith("reduce\n"));
}

TEST(ExplainWord, ListsAlgorithmsOfThatName) {
  const std::string ring = explain_word("ring", false).text;
  for (const char* collective : {"all-gather", "all-reduce", "all-to-all", "shift"})
    EXPECT_THAT(ring, HasSubstr(collective));
  EXPECT_THAT(ring, HasSubstr("--topology ring:8"));
  const std::string bucket = explain_word("bucketing", false).text;
  EXPECT_THAT(bucket, HasSubstr("reduce-scatter"));
  EXPECT_THAT(explain_word("dual", false).text, HasSubstr("broadcast by binomial"));
  EXPECT_THAT(explain_word("dual", false).text, HasSubstr("| reduce by binomial"));
  EXPECT_THAT(explain_word("template", false).text, HasSubstr("partner := my_id XOR 2^i"));
}

TEST(ExplainWord, PointsToTheNearest) {
  const test::Ran wrong = tutti("explain bukcet");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.err, "tutti: nothing is called 'bukcet' here; the nearest is 'bucket'\n");
  EXPECT_THAT(tutti("explain dual --topology ring:8").err, HasSubstr("takes --json alone"));
}

TEST(ExplainWord, PointsToTheRightCommand) {
  EXPECT_EQ(tutti("broadcast").err,
            "tutti: 'broadcast' is no command, it is a collective; explain it: tutti explain broadcast\n");
  EXPECT_THAT(tutti("deadlock").err, HasSubstr("tutti explain deadlock"));
  EXPECT_THAT(tutti("explain all-reduce ring").err, HasSubstr("tutti explain all-reduce --algorithm ring"));
  EXPECT_THAT(tutti("simulation").err, HasSubstr("the nearest is 'simulate'"));
  EXPECT_THAT(tutti("lst").err, HasSubstr("the nearest is 'list'"));
}

TEST(ExplainCollective, SaysHowItIsMadeOfOthers) {
  EXPECT_THAT(tutti("explain all-gather").out, HasSubstr("p broadcasts at once"));
  EXPECT_THAT(tutti("explain broadcast").out, HasSubstr("Its dual is reduce."));
  EXPECT_EQ(relations_of(Collective::barrier), "");
}

// Options are used or refused.
TEST(ExplainCollective, TakesTheBestAlgorithmOfTheNetworkThatIsNamed) {
  const std::string on_ring = tutti("explain broadcast --topology ring:8").out;
  EXPECT_THAT(on_ring, HasSubstr("Taken"));
  EXPECT_THAT(on_ring, HasSubstr("step 1"));
}

TEST(Names, OfBooksAreTaken) {
  for (const char* name : {"'one-to-all broadcast'", "one-to-all broadcast", "all2all", "total exchange", "全交换",
                           "transpose", "personalized reduction", "q-shift", "MPI_Alltoall"}) {
    EXPECT_EQ(tutti(std::string("explain ") + name).status, 0) << name;
  }
  EXPECT_THAT(tutti("simulate total exchange --ranks 4").out, HasSubstr("all-to-all of"));
}

TEST(Names, OfSwitchingAndCostsAreShort) {
  const std::string network = "simulate messages 0-4:4KiB --topology ring:8 --ts 3us --tw 2ns --switching ";
  const auto simulated = [](const std::string& line) { return tutti(line).out; };
  const std::string whole = simulated(network + "store-and-forward");
  EXPECT_EQ(simulated(network + "sf"), whole);
  EXPECT_EQ(simulated(network + "S&F"), "");  // the shell's sign
  EXPECT_EQ(simulated(network + "'S&F'"), whole);
  EXPECT_EQ(simulated("simulate messages 0-4:4KiB --topology ring:8 --alpha 3us --beta 2ns --switching sf"), whole);
  const std::string cut = simulated(network + "cut-through --th 1us");
  for (const char* name : {"ct", "packet"}) EXPECT_EQ(simulated(network + name + " --th 1us"), cut) << name;
  EXPECT_THAT(tutti(network + "fast").err, HasSubstr("there is no switching 'fast'"));
}

TEST(Names, OfNetworksNeedNoSizeBesideRanks) {
  const auto title = [](const std::string& network) {
    const std::string out = tutti("simulate all-gather --algorithm ring --topology " + network).out;
    return out.substr(0, out.find(','));
  };
  EXPECT_THAT(title("hypercube --ranks 8"), HasSubstr("on hypercube:3"));
  EXPECT_THAT(title("mesh -p 9"), HasSubstr("on mesh:3x3"));
  EXPECT_THAT(title("linear-array --ranks 6"), HasSubstr("on linear:6"));
  EXPECT_THAT(title("fully-connected:5"), HasSubstr("on full:5"));
  EXPECT_THAT(title("binary-tree:8"), HasSubstr("on tree:8"));
  EXPECT_THAT(title("超立方体:2"), HasSubstr("on hypercube:2"));
  EXPECT_THAT(tutti("simulate all-gather --topology hypercube").err, HasSubstr("needs a size"));
  EXPECT_THAT(tutti("simulate all-gather --topology hypercube --ranks 6").err, HasSubstr("2, 4, 8"));
  EXPECT_THAT(tutti("simulate all-gather --topology dragonfly --ranks 8").err, HasSubstr("dragonfly:2x4x2"));
}

TEST(Names, OfTheRootMayBeSource) {
  EXPECT_EQ(tutti("explain broadcast --algorithm binomial -p 4 --source 2").out,
            tutti("explain broadcast --algorithm binomial --ranks 4 --root 2").out);
}

TEST(Nodes, OfOneNumberAreOneNodeAndSaidToBe) {
  EXPECT_THAT(tutti("explain broadcast --algorithm binomial --nodes 8").out,
              HasSubstr("Note: --nodes 8 is one node of 8 ranks"));
  EXPECT_EQ(tutti("explain broadcast --algorithm binomial --nodes 8x1").out.find("Note:"), std::string::npos);
}

TEST(Hints, KeepAllOptions) {
  EXPECT_THAT(tutti("explain all-to-all --algorithm mesh --grid 3x3 --count 2").out,
              HasSubstr("tutti draw all-to-all --algorithm mesh --count 2 --grid 3x3 -o steps.svg"));
}

TEST(Hints, OfProceduresKeepTheRoot) {
  const std::string told = tutti("explain procedure-11 --ranks 4 --root 2").out;
  for (const char* hint :
       {"tutti explain procedure-11-mended --ranks 4 --root 2", "tutti verify program procedure-11 --ranks 4 --root 2",
        "tutti simulate program procedure-11 --ranks 4 --root 2",
        "tutti explain scatter --algorithm linear --ranks 4 --root 2 --steps"})
    EXPECT_THAT(told, HasSubstr(hint));
}

}  // namespace
}  // namespace tutti::app

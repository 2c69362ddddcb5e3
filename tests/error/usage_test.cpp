/// @file
/// Bad input to the command: one line on standard error that says what to do, nothing on standard output, status 2.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <ostream>
#include <string>
#include <vector>

#include "support/command.hpp"

namespace tutti::test {
namespace {

struct Mistake {
  const char* line;
  const char* answer;  // part of the expected sentence
};

void PrintTo(const Mistake& mistake, std::ostream* stream) { *stream << mistake.line; }

class Usage : public testing::TestWithParam<Mistake> {};

TEST_P(Usage, GetsOneLineAndStatusTwo) {
  const Ran ran = run_command(TUTTI_COMMAND, words_of(GetParam().line));
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  EXPECT_THAT(ran.err, testing::StartsWith("tutti: "));
  EXPECT_THAT(ran.err, testing::EndsWith("\n"));
  EXPECT_THAT(ran.err, testing::HasSubstr(GetParam().answer));
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Usage,
    testing::Values(Mistake{"broadcast", "explain it: tutti explain broadcast"},
                    Mistake{"explain all-reduce ring", "tutti explain all-reduce --algorithm ring"},
                    Mistake{"price scan --ranks 4 --bytes 1kb", "write 1kB (powers of 1000) or 1KiB (powers of 1024)"},
                    Mistake{"price scan --ranks 4 --bytes 2mib", "write 2MB (powers of 1000) or 2MiB (powers of 1024)"},
                    Mistake{"lst", "no command 'lst'; the nearest is 'list'"},
                    Mistake{"help list all", "help is for one command; leave 'all' out"},
                    Mistake{"help lst", "no command 'lst'; the nearest is 'list'"},
                    Mistake{"verfy --json", "the nearest is 'verify'"}, Mistake{"-x", "no option '-x'"},
                    Mistake{"--versoin", "the nearest is '--version'"},
                    Mistake{"list --jsn", "no option '--jsn'; the nearest is '--json'"},
                    Mistake{"list --ranks 4", "no option '--ranks'"},
                    Mistake{"verify --rank=4", "no option '--rank'; the nearest is '--ranks'"},
                    Mistake{"list scan shift", "'shift' was not expected"},
                    Mistake{"list --json --markdown", "--json excludes --markdown; leave one of them out"},
                    Mistake{"simulate broadcast --ranks 8 --timeline",
                            "--timeline needs FILE; see 'tutti simulate --help'"},
                    Mistake{"explain scan --ranks 4 --ranks 5", "--ranks is given 2 times; leave all but one out"},
                    Mistake{"list scan --topologies", "networks belong to no collective"},
                    Mistake{"simulate all-reduce --ranks 4 --bytes 8 --engine rounds --skew 1:1us",
                            "a rank that begins 1us late needs the engine 'flows'"},
                    Mistake{"price all-to-all --ranks 1700000 --bytes 8 --algorithm bruck", "take fewer ranks"},
                    Mistake{"list explain", "no collective 'explain'"}));

INSTANTIATE_TEST_SUITE_P(
    Flags, Usage,
    testing::Values(Mistake{"run -n 2 --label=5 true", "--label takes no value; leave '=5' out"},
                    Mistake{"run -n 2 --grace soon true", "'soon' is not a time"},
                    Mistake{"run -n 2 --grace 2e6s true", "--grace is at most a day, not 2e6s"},
                    Mistake{"run --label=true -n 2 true", "--label takes no value; leave '=true' out"},
                    Mistake{"run --label= -n 2 true", "--label takes no value; leave '=' out"},
                    Mistake{"list --json=false", "--json takes no value; leave '=false' out"},
                    Mistake{"list --markdown=1", "--markdown takes no value"},
                    Mistake{"list --topologies=ring", "--topologies takes no value; leave '=ring' out"},
                    Mistake{"explain broadcast --algorithm ring --steps=3", "--steps takes no value; leave '=3' out"},
                    Mistake{"verify --ranks 2 --json=1", "--json takes no value"},
                    Mistake{"textbook --sources=all", "--sources takes no value"},
                    Mistake{"draw broadcast --algorithm ring --timeline=x", "--timeline takes no value"},
                    Mistake{"bench --help=all", "--help takes no value"},
                    Mistake{"--version=2", "--version takes no value; leave '=2' out"}));

INSTANTIATE_TEST_SUITE_P(
    Names, Usage,
    testing::Values(
        Mistake{"list brodcast", "no collective 'brodcast'; the nearest is 'broadcast'"},
        Mistake{"explain all_reduze", "the nearest is 'all-reduce'"},
        Mistake{"explain xylophone", "nothing is called 'xylophone' here; 'tutti list --words' has the words"},
        Mistake{"xylophone", "no command 'xylophone'; there are 'list', "},
        Mistake{"list --xylophone", "no option '--xylophone'; see 'tutti list --help'"},
        Mistake{"verify scan --algorithm 123-doubling",
                "scan has no algorithm '123-doubling', which exclusive-scan has; there are"},
        Mistake{"explain shift --algorithm binomial",
                "'binomial', which broadcast, reduce, all-reduce, scatter, gather and barrier have"},
        Mistake{"explain barrier --algorithm xylophone", "'xylophone'; there are 'dissemination', "},
        Mistake{"verify --algorithm xylophone", "'xylophone'; 'tutti list' names them all"},
        Mistake{"textbook --row xylophone", "'xylophone'; 'tutti textbook' lists them all"},
        Mistake{"simulate gather --ranks 3 --counts 1,2", "needs 3 per-rank counts, not 2"},
        Mistake{"simulate broadcast --ranks 3 --counts 1,2,3", "broadcast has one count for all ranks"},
        Mistake{"simulate gather --ranks 3 --counts 1,x,3", "a count in a list such as 3,0,5"},
        Mistake{"simulate gather --ranks 3 --counts 1,2,3 --bytes 8", "leave --count and --bytes out"},
        Mistake{"price gather --ranks 3 --counts 1,2,3 --bytes 8", "--counts"},
        Mistake{"simulate gather --ranks 3 --non-commutative", "gather combines nothing"},
        Mistake{"simulate broadcast --ranks 3 --segments 0", "a number of segments"},
        Mistake{"topology", "topology needs a network"}, Mistake{"topology trous:4x4", "the nearest is 'torus'"},
        Mistake{"topology ring:8 ring:9 -o x.svg", "a file holds one network"},
        Mistake{"topology ring:0", "a size in \"ring:0\" is a whole number from 1 to 1073741824, not '0'"},
        Mistake{"topology ring:8x", "\"ring:8x\" lacks a size beside an x"},
        Mistake{"topology torus:99999x99999", "a grid of 99999x99999 has more than 2147483647 ranks"},
        Mistake{"topology torus:4x0", "a size in \"torus:4x0\" is a whole number from 1"},
        Mistake{"topology torus:4x4.5", "a size in \"torus:4x4.5\" is a whole number from 1 to 1073741824, not '4.5'"},
        Mistake{"topology net.yaml", "a network's file ends with .json, .xml (from lstopo) or .txt"},
        Mistake{"topology ring:8 -o x.gif", "should end with .svg"},
        Mistake{"topology hypercube", "hypercube needs a size"},
        Mistake{"topology ring:8 --ranks 9", "ring:8 has 8 ranks, and --ranks 9 asks for others; leave one out"},
        Mistake{"topology ring:8 --bytes two", "'two' is not a size"},
        Mistake{"explain totl-exchange", "the nearest is 'total-exchange'"},
        Mistake{"explain broadcast --algorithm binomal", "no algorithm 'binomal'; the nearest is 'binomial'"},
        Mistake{"verify --algorithm binomal", "no collective has an algorithm 'binomal'; the nearest is 'binomial'"},
        Mistake{"verify scan --algorithm chian", "the nearest is 'chain'"},
        Mistake{"explain scan --topology msh:4x4", "there is no topology 'msh'; the nearest is 'mesh'"}));

INSTANTIATE_TEST_SUITE_P(
    Parameters, Usage,
    testing::Values(
        Mistake{"explain broadcast --algorithm binomial --ranks 4 --radix 4",
                "broadcast by binomial has no parameters, not a radix; leave radix out, or take k-nomial"},
        Mistake{"simulate broadcast --algorithm chain --ranks 4 --grid 2x2",
                "has segments alone, not a grid; leave grid"},
        Mistake{"price all-reduce --algorithm ring --ranks 4 --segments 2 --bytes 8",
                "leave segments out, or take two-tree"},
        Mistake{"draw shift --algorithm ring --ranks 4 --radix 2 -o a.svg",
                "by ring has no parameters, not a radix; leave radix out\n"},
        Mistake{"verify gather --algorithm linear --ranks 4 --radix 2", "leave radix out, or take k-nomial"},
        Mistake{"plan barrier --ranks 4 --grid 2x2", "no algorithm for barrier has a grid; leave grid out"}));

INSTANTIATE_TEST_SUITE_P(
    Nodes, Usage,
    testing::Values(Mistake{"verify --nodes 3+0", "'3+0' is no list of nodes: '0' is no number of ranks from 1 on"},
                    Mistake{"explain broadcast --algorithm ring --nodes x",
                            "such as 3+5+1 for nine ranks on three nodes"},
                    Mistake{"simulate broadcast --nodes 3++1", "'' is no number of ranks from 1 on"},
                    Mistake{"simulate broadcast --nodes 3+-5", "'-5' is no number of ranks from 1 on"},
                    Mistake{"draw broadcast -o a.svg --nodes 3,5", "'3,5' is no number of ranks from 1 on"},
                    Mistake{"verify --nodes 9999999+9999999", "have more than 16777216 ranks in all"},
                    Mistake{"verify --nodes 99999999999999999999", "is no number of ranks from 1 on"},
                    Mistake{"verify --nodes 3+5+1 --ranks 8",
                            "differently: --ranks 8 means 8, --nodes 3+5+1 means 9; leave one out"},
                    Mistake{"verify --ranks 1..9 --nodes 3+5+1",
                            "differently: --ranks 1..9 means 1 to 9, --nodes 3+5+1 means 9; leave one out"},
                    Mistake{"explain broadcast --algorithm ring --nodes 3+5 --topology ring:9",
                            "--topology ring:9 means 9, --nodes 3+5 means 8; leave one out"},
                    Mistake{"draw --trace run.json --nodes 3+5 -o a.svg", "leave --nodes out"}));

INSTANTIATE_TEST_SUITE_P(
    Values, Usage,
    testing::Values(Mistake{"verify --ranks", "--ranks"},
                    Mistake{"verify --ranks 0", "a number of ranks is a whole number from 1 to"},
                    Mistake{"verify --ranks -4", "not '-4'"}, Mistake{"verify --ranks nan", "not 'nan'"},
                    Mistake{"verify --ranks 99999999999999999999", "not '99999999999999999999'"},
                    Mistake{"verify --ranks 5..3", "the range of ranks 5..3 is empty"},
                    Mistake{"verify --ranks 1..", "the last number of ranks"},
                    Mistake{"verify --ranks 4 --ranks 5", "--ranks"}, Mistake{"verify --jobs 0", "a number of jobs"},
                    Mistake{"verify --root -1", "not '-1'"},
                    Mistake{"verify --ranks 3 --root 3", "the root 3 is not one of the ranks 0 to 2"},
                    Mistake{"explain shift --algorithm ring --distance 1e3", "a distance is a whole number"},
                    Mistake{"explain shift --algorithm ring --count -1", "a count is a whole number"},
                    Mistake{"explain shift --algorithm ring --count 4611686018427387904", "more than 2^62"},
                    Mistake{"explain scan --algorithm chain --bytes 64kib", "'64kib' is not a size"},
                    Mistake{"explain scan --algorithm chain --bytes -1", "'-1' is not a size"},
                    Mistake{"explain scan --algorithm chain --grid 4y4", "an extent of a grid"},
                    Mistake{"explain scan --algorithm chain --grid 4x", "an extent of a grid"},
                    Mistake{"explain scan --algorithm chain --topology mesh", "needs a size"},
                    Mistake{"explain scan --algorithm chain --topology hypercube:31",
                            "a hypercube has 0 to 30 dimensions"}));

INSTANTIATE_TEST_SUITE_P(
    Combinations, Usage,
    testing::Values(Mistake{"explain", "explain needs a collective"},
                    Mistake{"explain scan --steps --ranks 2..8", "not a range"},
                    Mistake{"explain scan --algorithm chain --ranks 1..4", "one number of ranks, not a range"},
                    Mistake{"explain scan --ranks 1..4", "one number of ranks, not a range"},
                    Mistake{"explain procedure-5 --steps", "takes --ranks, --root and --json alone"},
                    Mistake{"explain procedures --algorithm ring", "takes --ranks, --root and --json alone"},
                    Mistake{"explain all-reduce --root 3", "all-reduce has no root; leave --root out"},
                    Mistake{"verify scan --distance 3", "scan has no distance; leave --distance out"},
                    Mistake{"verify barrier --count 3", "leave --count and --bytes out"},
                    Mistake{"explain broadcast --algorithm ring --root 9", "the root 9 is not one of the ranks 0 to 7"},
                    Mistake{"explain scan --algorithm chain --count 3 --bytes 8", "the count is given twice"},
                    Mistake{"explain scan --algorithm chain --topology mesh:4x4 --ranks 8",
                            "the number of ranks is given twice"},
                    Mistake{"explain all-gather --algorithm recursive-doubling --ranks 6",
                            "needs a number of ranks that is a power of two; 'bruck'"},
                    Mistake{"verify all-to-all --algorithm pairwise --ranks 6", "'pairwise-modular' is the nearest"},
                    Mistake{"verify all-gather --algorithm recursive-doubling --ranks 5..7",
                            "needs a number of ranks that is a power of two"},
                    Mistake{"verify --algorithm gray-code --ranks 6", "works for these ranks"}));

INSTANTIATE_TEST_SUITE_P(
    Simulations, Usage,
    testing::Values(
        Mistake{"simulate", "simulate needs a collective"},
        Mistake{"simulate broadcast", "--topology ring:8 or --ranks 8"},
        Mistake{"simulate broadcast --ranks 2..8", "not a range"},
        Mistake{"simulate broadcast --topology mesh:4x4 --ranks 7", "the number of ranks is given twice"},
        Mistake{"simulate broadcast --ranks 8 --tr 1ns", "--tr counts in all-to-all by mesh and hypercube alone"},
        Mistake{"simulate all-to-all --ranks 8 --tr 1ns --symbolic", "--symbolic has no term for --tr"},
        Mistake{"simulate broadcast --ranks 8 --switching telepathy", "no switching 'telepathy'"},
        Mistake{"simulate broadcast --ranks 8 --ts -1us", "'-1us'"},
        Mistake{"simulate broadcast --ranks 8 --tw nan", "'nan'"},
        Mistake{"simulate broadcast --ranks 8 --th 1e999s", "'1e999s'"},
        Mistake{"simulate broadcast --ranks 8 --th 1us", "--th counts with --switching cut-through alone, not with "},
        Mistake{"price broadcast --ranks 8 --bytes 8 --switching store-and-forward --th 1us", "--th counts with "},
        Mistake{"draw broadcast --ranks 8 --timeline --th 1us -o out.svg", "--th counts with "},
        Mistake{"plan broadcast --topology ring:8 --bytes 8 --th 1us", "--th counts with "},
        Mistake{"simulate messages 1-6 --topology linear:8 --packet 8", "--packet counts with "},
        Mistake{"price broadcast --ranks 8 --bytes 8 --switching cut-through --packet 8",
                "--packet counts with --switching store-and-forward alone, not with cut-through"},
        Mistake{"simulate messages 1-6 4-9 --topology linear:8", "the receiver of '4-9' is a whole number from 0 to 7"},
        Mistake{"simulate MPI_Alltoal --ranks 8", "there is no collective 'MPI_Alltoal'; the nearest is 'alltoall'"},
        Mistake{"simulate broadcast --ranks 8 --ports two", "'two'"},
        Mistake{"simulate broadcast --ranks 8 --engine steam", "'steam'"},
        Mistake{"simulate broadcast --ranks 8 --routing random", "'random'"},
        Mistake{"simulate broadcast --ranks 8 --skew 8:1us", "the skewed rank 8 is not one of the ranks 0 to 7"},
        Mistake{"simulate broadcast --ranks 8 --skew 3", "RANK:TIME"},
        Mistake{"simulate broadcast --ranks 8 --skew 3:x0", "a factor from 1e-9 to 1e9"},
        Mistake{"simulate broadcast --ranks 8 --embedding 0,1", "names 8 places, not 2"},
        Mistake{"simulate broadcast --ranks 8 --embedding grey", "'gray', 'line'"},
        Mistake{"simulate broadcast --ranks 6 --embedding gray", "a power of two"},
        Mistake{"simulate broadcast --ranks 8 --embedding line", "through a grid"},
        Mistake{"simulate broadcast --topology /no/such/net.json",
                "the file '/no/such/net.json' cannot be read: No such file"},
        Mistake{"simulate program /tmp --ranks 8", "'/tmp' is a folder; name a file"},
        Mistake{"simulate broadcast --topology /dev/null.txt", "cannot be read"},
        Mistake{"simulate broadcast --ranks 8 --timeline /no/such/folder/t.json",
                "'/no/such/folder/t.json' cannot be written"},
        Mistake{"simulate all-to-all --ranks 8 --bytes 4611686018427387904", "2^62"},
        Mistake{"simulate all-gather --algorithm ring --ranks 1000000",
                "999999000000 messages; a simulation holds at most 134217728; take --algorithm bruck, or 8192 ranks, "
                "or 'tutti "
                "price all-gather' with your options, by its closed form"},
        Mistake{"simulate all-to-all --ranks 100000",
                "blocks in its messages; a simulation lists at most 2147483648; "},
        Mistake{"simulate all-to-all --ranks 100000",
                "take 16384 ranks, or 'tutti price all-to-all' with your options"},
        Mistake{"simulate all-to-all --topology ring:50000 --algorithm bruck", "take 16384 ranks"},
        Mistake{"verify all-gather --algorithm ring --ranks 1000000",
                "a schedule holds at most 67108864; take 8192 ranks"},
        Mistake{"verify all-to-all --algorithm mesh --ranks 16384",
                "blocks in its messages; a schedule holds at most 67108864; take 4096 ranks"},
        Mistake{"verify all-to-all --algorithm linear --ranks 100000", "9999900000 messages; a schedule holds at most"},
        Mistake{"explain all-to-all --algorithm bruck --ranks 100000 --steps", "a schedule holds at most"},
        Mistake{"explain all-gather --algorithm ring --ranks 1000000 --steps", "a schedule holds at most"}));

INSTANTIATE_TEST_SUITE_P(
    Plans, Usage,
    testing::Values(Mistake{"plan", "plan needs a collective, such as: tutti plan all-reduce --bytes 1MiB"},
                    Mistake{"plan all-reduce", "plan needs a size, such as --bytes 1MiB"},
                    Mistake{"plan barrier --bytes 8", "a barrier moves no data; leave --bytes out"},
                    Mistake{"plan all-reduce --bytes 8 --ranks 2..4", "one number of ranks, not at 2..4"},
                    Mistake{"plan all-reduce --bytes 8 --transport thread",
                            "no transport 'thread'; the nearest is 'threads'"},
                    Mistake{"plan all-reduce --bytes 8 --cores 0", "a number of cores is a whole number from 1 to"},
                    Mistake{"plan all-reduce --bytes 8 --algorithm ring", "there is no option '--algorithm'"},
                    Mistake{"plan all-reduce --bytes 8 --topology ring:4 --run", "leave --run or --topology out"},
                    Mistake{"plan all-reduce --bytes 8 --topology ring:4 --cores 2", "leave them out, or --topology"},
                    Mistake{"plan all-reduce --bytes 8 --nodes 2x2 --run", "leave --run or --nodes out"},
                    Mistake{"plan all-reduce --bytes 8 --ranks 4 --cores 3 --run", "leave --run or --cores out"},
                    Mistake{"plan all-reduce --bytes 8 --grid 2x2 --run", "leave --run or --grid out"},
                    Mistake{"plan broadcast --bytes 8 --segments 4 --run", "or --segments and --radix"},
                    Mistake{"plan broadcast --bytes 8 --radix 3 --run", "or --segments and --radix"},
                    Mistake{"plan broadcast --bytes 8 --ts 2us", "are of a network; name it with --topology"},
                    Mistake{"plan broadcast --bytes 8 --nodes 2x4 --ts-inside 2us", "name it with --topology"},
                    Mistake{"plan broadcast --bytes 8 --seconds 1s", "--seconds requires --run; add --run"},
                    Mistake{"plan broadcast --bytes 8 --ranks 3 --root 1 --run", "leave --run or --root 1 out"},
                    Mistake{"plan exclusive-scan --bytes 8 --ranks 2 --run", "exclusive-scan"},
                    Mistake{"plan all-reduce --bytes 8 --ranks 5000 --run", "at most 4096 ranks are run, not 5000"},
                    Mistake{"plan all-reduce --bytes 8 --transport mpi --ranks 3 --run", "mpirun -n 3 tutti plan"},
                    Mistake{"plan all-reduce --check", "the guidelines are of all collectives; leave all-reduce out"},
                    Mistake{"plan --check --ranks 2..9", "the guidelines are checked for 1 to 7 ranks here, not for 9"},
                    Mistake{"plan --check --plot a.svg", "leave --topology, --nodes, --plot, --rules and --skew out"},
                    Mistake{"plan all-reduce --rivals", "--rivals is about all collectives; leave 'all-reduce' out"},
                    Mistake{"plan --rivals --run", "--rivals compares on networks that are described; leave --run"},
                    Mistake{"plan all-reduce --bytes 8 --plot a.svg", "a plot needs a range of sizes"},
                    Mistake{"plan all-reduce --bytes 8..16 --plot a.gif", ".svg"},
                    Mistake{"plan all-to-all --ranks 100000 --bytes 80000",
                            "all-to-all of 10,000 elements over 100,000 ranks can move more than 2^62"},
                    Mistake{"plan all-gather --ranks 4096 --bytes 1PiB --topology full:4096", "2^62"}));

INSTANTIATE_TEST_SUITE_P(
    Overflows, Usage,
    testing::Values(Mistake{"simulate broadcast --ranks 8 --ts 1e308s", "'1e308s' is too long; times go up to 1e9s"},
                    Mistake{"simulate broadcast --ranks 8 --tw 1e300", "'1e300' is too long"},
                    Mistake{"simulate broadcast --ranks 8 --th 1e10s", "'1e10s' is too long"},
                    Mistake{"simulate reduce --ranks 8 --tc 300000h", "'300000h' is too long"},
                    Mistake{"simulate broadcast --ranks 8 --skew 3:1e10s", "'1e10s' is too long"},
                    Mistake{"simulate reduce --ranks 8 --skew 3:x1e308", "not 'x1e308'"},
                    Mistake{"simulate broadcast --ranks 8 --skew 3:xinf", "not 'xinf'"},
                    Mistake{"simulate broadcast --ranks 8 --packet 8EiB", "'8EiB' is not a size"},
                    Mistake{"simulate broadcast --ranks 8 --bytes inf", "'inf' is not a size"},
                    Mistake{"price broadcast --ranks 8 --bytes 8 --ts 1e308s", "'1e308s' is too long"},
                    Mistake{"price broadcast --ranks 8 --bytes 1025TiB", "sizes go up to 1PiB, not 1025TiB"},
                    Mistake{"textbook --tw 1e308s", "'1e308s' is too long"},
                    Mistake{"bench broadcast --seconds 1e308s", "'1e308s' is too long"}));

// The largest of everything that is accepted still gives a time.
TEST(Overflow, NothingThatIsAcceptedBecomesInfinite) {
  const std::string largest = " --ts 1e9s --tw 1e9s --tc 1e9s --bytes 1PiB";
  for (const char* line :
       {"price broadcast --ranks 4096", "price reduce --ranks 4096", "price all-reduce --ranks 4096",
        "price all-gather --ranks 4096", "price reduce-scatter --ranks 4095", "price scatter --ranks 4096",
        "price gather --ranks 4096", "price all-to-all --ranks 4096", "price exclusive-scan --ranks 4096",
        "price shift --ranks 4096", "simulate all-reduce --topology ring:8 --switching store-and-forward --packet 1PiB",
        "simulate all-reduce --topology ring:8 --switching cut-through --th 1e9s --skew 3:1e9s:x1e9",
        "simulate scan --algorithm recursive-doubling --ranks 16 --engine rounds"}) {
    const Ran ran = run_command(TUTTI_COMMAND, words_of(line + largest));
    EXPECT_EQ(ran.status, 0) << line << ": " << ran.err;
    EXPECT_THAT(ran.out, testing::Not(testing::ContainsRegex("inf|nan"))) << line;
  }
}

// Whatever stands in the argument, the answer is one line without anything that steers a terminal.
TEST(ControlCharacters, StandAsEscapesInEveryAnswer) {
  const std::string odd = "a\nb\x1b[31m\rc\xc2\x85";
  const std::string escaped = "a\\nb\\x1b[31m\\rc\\x85";
  std::vector<std::vector<std::string>> lines{{odd},
                                              {"--" + odd},
                                              {"list", odd},
                                              {"bench", odd},
                                              {"run", "-n", odd, "true"},
                                              {"run", "-n", "1", "./" + odd},
                                              {"textbook", "--row", odd},
                                              {"draw", "broadcast", "-o", odd},
                                              {"draw", "--trace", odd + ".json", "-o", "x.svg"}};
  for (const char* command : {"explain", "verify", "price", "simulate", "draw"}) {
    lines.push_back({command, odd});
    for (const char* option : {"--algorithm", "--ranks", "--grid", "--topology", "--root", "--count", "--bytes"})
      lines.push_back({command, "broadcast", option, odd, "-o", "x.svg"});
    lines.push_back({command, "broadcast", "--topology", odd + ".json"});
    lines.push_back({command, "broadcast", "--no-" + odd});
  }
  for (const char* option : {"--ts", "--packet", "--skew", "--embedding", "--engine", "--switching"})
    lines.push_back({"simulate", "broadcast", "--ranks", "4", option, odd});
  for (const auto& words : lines) {
    const Ran ran = run_command(TUTTI_COMMAND, words);
    const std::string what = words.front() + " " + (words.size() > 2 ? words[2] : "") + ": " + ran.err;
    EXPECT_EQ(ran.status, 2) << what;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << what;
    EXPECT_EQ(ran.err.find_first_of("\x1b\r"), std::string::npos) << what;
  }
  EXPECT_THAT(run_command(TUTTI_COMMAND, {"list", odd}).err, testing::HasSubstr(escaped));
}

TEST(ControlCharacters, StandAsEscapesWhereAFileOrTheEnvironmentHasThem) {
  const std::string file = testing::TempDir() + "odd.json";
  for (const char* text : {R"({"ra\nnks": 2})", R"({"ranks": 2, "links": [], "o\u001bdd\n": 1})", "{\"ranks\": \n\n x}",
                           R"({"ranks": 2, "links": [{"from": 0, "to": 1, "la\nnes": 2}]})"}) {
    std::ofstream(file) << text;
    const Ran ran = run_command(TUTTI_COMMAND, {"simulate", "broadcast", "--topology", file});
    EXPECT_EQ(ran.status, 2) << text;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
  for (const char* variable : {"TUTTI_TIMEOUT", "TUTTI_ALGORITHM_BROADCAST", "TUTTI_PROGRESS_THREAD"}) {
    const Ran ran = run_command("/usr/bin/env", {variable + std::string("=a\nb\x1b"), TUTTI_COMMAND, "bench",
                                                 "broadcast", "--ranks", "2", "--bytes", "8"});
    EXPECT_EQ(ran.status, 2) << variable;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_THAT(ran.err, testing::HasSubstr("a\\nb\\x1b")) << variable;
  }
}

// Every rank would find the same.
TEST(Run, RefusesSettingsThatMeanNothingBeforeItStartsRanks) {
  for (const std::string setting : {"TUTTI_TIMEOUT=never", "TUTTI_PLAN=perhaps"}) {
    const Ran ran = run_command("/usr/bin/env", {setting, TUTTI_COMMAND, "run", "-n", "3", "echo", "started"});
    EXPECT_EQ(ran.status, 2) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_THAT(ran.err, testing::HasSubstr(setting.substr(0, setting.find('='))));
  }
}

TEST(Output, ThatCannotBeWrittenIsAnError) {
  for (const std::string words : {" list", " --help", " --version", " help price", " price --help"}) {
    const Ran ran = run_command("/bin/sh", {"-c", TUTTI_COMMAND + words + " > /dev/full"});
    EXPECT_EQ(ran.status, 2) << words;
    EXPECT_EQ(ran.err, "tutti: the output could not be written\n") << words;
  }
}

// Services close standard error, and the disk behind it may be full: the exit status says what it says anyway.
TEST(Errors, ThatNobodyCanReadLeaveTheStatus) {
  for (const std::string nobody : {" 2> /dev/full", " 2>&-"}) {
    EXPECT_EQ(run_command("/bin/sh", {"-c", TUTTI_COMMAND " lsit" + nobody}).status, 2) << nobody;
    EXPECT_EQ(run_command("/bin/sh", {"-c", TUTTI_COMMAND " run -n 2 /bin/sh -c 'exit 3'" + nobody}).status, 3)
        << nobody;
  }
}

}  // namespace
}  // namespace tutti::test

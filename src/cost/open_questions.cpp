#include <array>

#include "cost/optimality.hpp"

namespace tutti {
namespace {

using enum Collective;

constexpr std::string_view traff =
    "J. L. Träff, Optimal Broadcast Schedules in Logarithmic Time with Applications to Broadcast, All-Broadcast, "
    "Reduction and All-Reduction, 2024";
constexpr std::string_view johnsson_ho =
    "S. L. Johnsson, C.-T. Ho, Optimum Broadcasting and Personalized Communication in Hypercubes, 1989";
constexpr std::string_view census =
    "A. Bar-Noy, S. Kipnis, B. Schieber, An optimal algorithm for computing census functions in message-passing "
    "systems, 1993";
constexpr std::string_view bruck =
    "J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, Efficient Algorithms for All-to-All Communications in "
    "Multiport Message-Passing Systems, 1997, §2";
constexpr std::string_view two_tree =
    "P. Sanders, J. Speck, J. L. Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan, 2009";

constexpr std::string_view both_at_once =
    "No algorithm has fewer rounds or less volume, and this one has the least of both at once. The bound is the "
    "greater of their times; that their sum is needed is not proved.";
constexpr std::string_view segments_alike =
    "No schedule of S equal segments has fewer rounds than S - 1 + ceil(log2 p), which n-block has. The bound is the "
    "greater of rounds and volume; whether unequal segments come nearer is not known.";

constexpr std::array questions{
    OpenQuestion{broadcast, "time", segments_alike, traff},
    OpenQuestion{reduce, "time", segments_alike, johnsson_ho},
    OpenQuestion{all_reduce, "rounds",
                 "Sums in ceil(log2 p) rounds are known for every p, but ranks bracket them differently, and differ in "
                 "their last bits. With the same bits on all ranks nobody knows how, unless p is a power of two.",
                 census},
    OpenQuestion{all_reduce, "time",
                 "With the least volume 2 ceil(log2 p) rounds are the fewest known; the bound has half as many. Short "
                 "messages: as for rounds.",
                 traff},
    OpenQuestion{
        scan, "time",
        "In segments along a chain the volume is the least, but its rounds grow with p; in ceil(log2 p) rounds "
        "the message is sent in each. By halving it is about 2 m bytes and 2 log2 p rounds where p is a power of "
        "two; for other p 2 m bytes and 4 log2 p rounds, with segments in two trees. Less of both at once nobody "
        "knows.",
        two_tree},
    OpenQuestion{exclusive_scan, "time", "As for scan.", two_tree},
    OpenQuestion{scatter, "time", both_at_once, bruck},
    OpenQuestion{gather, "time", both_at_once, bruck},
    OpenQuestion{all_gather, "time", both_at_once, bruck},
    OpenQuestion{reduce_scatter, "time", both_at_once, bruck},
    OpenQuestion{all_to_all, "time",
                 "Proved: an algorithm of ceil(log2 p) rounds moves about m p/2 log2 p bytes, and one of the least "
                 "volume needs p - 1 rounds. Between these ends nobody knows the least time.",
                 bruck},
};

}  // namespace

std::span<const OpenQuestion> open_questions() { return questions; }

}  // namespace tutti

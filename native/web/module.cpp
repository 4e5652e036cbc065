// The kernel as a WebAssembly module: memory for questions, the last answer, what is kept. It imports nothing, starts no
// threads and throws nothing; each of the other files asks one part of the kernel.
#include <cstdlib>
#include <vector>

#include "question.hpp"
#include "triptych/score/naturals.hpp"

namespace triptych::web {

namespace {

std::vector<std::uint8_t>& last_answer() {
    static std::vector<std::uint8_t> bytes;
    return bytes;
}

bool between(std::int32_t value, std::int32_t least, std::int32_t most) { return least <= value && value <= most; }

bool lands_are_right(const LandConditions& conditions, std::int32_t count, std::int32_t least) {
    if (!between(count, 0, max_land_conditions)) return false;
    for (std::int32_t i = 0; i < count; ++i) {
        const std::int32_t cards = conditions[static_cast<std::size_t>(i)].cards;
        if (cards != least && !between(cards, 13, 17)) return false;
    }
    return true;
}

}  // namespace

Shelf& shelf() {
    static Shelf all;
    return all;
}

std::int32_t answer_to(const std::uint8_t* data, std::uint32_t size, void (*question)(Reader& in, Writer& out)) {
    Reader in(data, size);
    Writer out(last_answer());
    question(in, out);
    if (in.refused()) {
        last_answer().clear();
        out.raw(in.why().data(), in.why().size());
    }
    return in.status();
}

RulesTable read_rules(Reader& in) {
    const auto numbers = in.numbers<std::int32_t, rules_size>();
    RulesTable rules;
    std::memcpy(&rules, numbers.data(), sizeof rules);
    // Values of rows may be large; whatever is points is not.
    for (const std::int32_t value : numbers) in.need(value >= -1, "a number of the rules is below -1");
    bool right = between(rules.scoring, 0, static_cast<std::int32_t>(RowScoring::custom)) &&
                 between(rules.joker_value, 0, static_cast<std::int32_t>(JokerValue::best_row)) &&
                 between(rules.natural_count, 0, max_naturals) && lands_are_right(rules.land_entry, rules.land_entry_count, 13) &&
                 lands_are_right(rules.land_repeat, rules.land_repeat_count, -1);
    for (const std::int32_t kind : rules.natural_kind) right = right && between(kind, 0, static_cast<std::int32_t>(NaturalKind::thirteen_of_one_colour));
    for (const std::int32_t height : rules.suit_height) right = right && between(height, 0, suits - 1);
    const auto few = [&](const auto& points) {
        for (const std::int32_t value : points) right = right && value <= static_cast<std::int32_t>(largest_value);
    };
    few(rules.royalty_back);
    few(rules.royalty_middle);
    few(rules.royalty_front_pair);
    few(rules.royalty_front_trips);
    few(rules.royalty_low);
    few(rules.natural_units);
    few(rules.custom_points);
    few(std::array{rules.foul_points, rules.custom_bonus, rules.surrender_points, rules.land_repeat_limit});
    in.need(right, "the kernel has no such rules");
    return rules;
}

}  // namespace triptych::web

#ifdef _LIBCPP_VERSION
// What libc++ calls where it gives up would print, and so would have to import from its host.
_LIBCPP_BEGIN_NAMESPACE_STD
[[noreturn]] void __libcpp_verbose_abort(const char*, ...) noexcept { __builtin_trap(); }
_LIBCPP_END_NAMESPACE_STD
#endif

using namespace triptych;
using namespace triptych::web;

TRIPTYCH_EXPORT(allocate) void* triptych_allocate(std::uint32_t size) { return std::malloc(size); }
TRIPTYCH_EXPORT(release) void triptych_release(void* memory) { std::free(memory); }
TRIPTYCH_EXPORT(answer) const std::uint8_t* triptych_answer() { return last_answer().data(); }
TRIPTYCH_EXPORT(answer_size) std::uint32_t triptych_answer_size() { return static_cast<std::uint32_t>(last_answer().size()); }

// A ruleset's integers; its number.
TRIPTYCH_QUESTION(keep_rules) {
    const RulesTable rules = read_rules(in);
    if (in.complete()) keep(in, out, std::make_shared<RulesTable>(rules));
}

// Lets go what is kept under a number.
TRIPTYCH_QUESTION(drop) {
    const auto number = in.number<std::uint32_t>();
    if (in.complete() && !shelf().drop(number)) in.refuse(not_held, "nothing is kept under this number");
}

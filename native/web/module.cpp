// The kernel as a WebAssembly module: memory for requests, the last result, stored objects. It imports nothing, starts no
// threads and throws nothing; each of the other files serves one part of the kernel.
#include <any>
#include <cstdlib>
#include <map>
#include <vector>

#include "abi.hpp"
#include "triptych/learn/placements.hpp"
#include "triptych/score/rules_check.hpp"

namespace triptych::web {

namespace {

constexpr std::size_t max_objects = 256;

std::vector<std::uint8_t>& last_result() {
    static std::vector<std::uint8_t> bytes;
    return bytes;
}

std::map<std::uint32_t, std::any>& objects() {
    static std::map<std::uint32_t, std::any> objects;
    return objects;
}

}  // namespace

std::uint32_t store_object(std::any object) {
    static std::uint32_t last = 0;
    if (objects().size() >= max_objects) return 0;
    objects()[++last] = std::move(object);
    return last;
}

std::any stored_object(std::uint32_t number) {
    const auto entry = objects().find(number);
    return entry == objects().end() ? std::any() : entry->second;
}

std::int32_t handle_request(const std::uint8_t* data, std::uint32_t size, void (*handler)(Reader& in, Writer& out)) {
    Reader in(data, size);
    Writer out(last_result());
    handler(in, out);
    if (in.refused()) {
        last_result().clear();
        out.raw(in.reason().data(), in.reason().size());
    }
    return in.status();
}

RulesTable read_rules(Reader& in) {
    const auto numbers = in.numbers<std::int32_t, rules_size>();
    RulesTable rules;
    std::memcpy(&rules, numbers.data(), sizeof rules);
    in.require(rules_are_right(rules), "the kernel has no such rules");
    return rules;
}

DealShape read_shape(Reader& in) {
    DealShape shape;
    shape.hands = in.within(2, max_hands, "two to four hands expected");
    shape.deck = deck_size + in.within(0, 2, "at most two jokers");
    shape.streets = in.within(1, max_streets, "one to nine streets expected");
    for (std::size_t i = 0; i < shape.streets; ++i) {
        shape.dealt[i] = static_cast<std::uint8_t>(in.within(1, learn::max_street_cards, "a street has one to five cards"));
        shape.placed[i] = static_cast<std::uint8_t>(in.within(1, shape.dealt[i], "a street places some of its cards"));
    }
    in.require(shape.placed_cards() == board_size && shape.dealt_cards() * shape.hands <= shape.deck, "the streets do not fill the boards");
    return shape;
}

std::uint32_t read_rollouts(Reader& in) { return in.within(0, max_rollouts, "too many rollouts at once"); }

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
TRIPTYCH_EXPORT(answer) const std::uint8_t* triptych_answer() { return last_result().data(); }
TRIPTYCH_EXPORT(answer_size) std::uint32_t triptych_answer_size() { return static_cast<std::uint32_t>(last_result().size()); }

// A ruleset's integers; its number.
TRIPTYCH_REQUEST(keep_rules) {
    const RulesTable rules = read_rules(in);
    if (in.complete()) store(in, out, std::make_shared<RulesTable>(rules));
}

// Drops what is stored under a number.
TRIPTYCH_REQUEST(drop) {
    const auto number = in.number<std::uint32_t>();
    if (in.complete() && objects().erase(number) == 0) in.refuse(unknown_handle, "nothing is kept under this number");
}

// The kernel as a WebAssembly module: memory for questions, the last answer, what is kept. It imports nothing, starts no
// threads and throws nothing; each of the other files asks one part of the kernel.
#include <cstdlib>
#include <vector>

#include "abi.hpp"
#include "triptych/score/rules_check.hpp"

namespace triptych::web {

namespace {

std::vector<std::uint8_t>& last_answer() {
    static std::vector<std::uint8_t> bytes;
    return bytes;
}

}  // namespace

HandleTable& handles() {
    static HandleTable all;
    return all;
}

std::int32_t handle_request(const std::uint8_t* data, std::uint32_t size, void (*question)(Reader& in, Writer& out)) {
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
    in.need(rules_are_right(rules), "the kernel has no such rules");
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
    if (in.complete()) store(in, out, std::make_shared<RulesTable>(rules));
}

// Lets go what is kept under a number.
TRIPTYCH_QUESTION(drop) {
    const auto number = in.number<std::uint32_t>();
    if (in.complete() && !handles().drop(number)) in.refuse(unknown_handle, "nothing is kept under this number");
}

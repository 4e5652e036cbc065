// What the caller stores here between requests, by number: rules, models, fields, analyses. Numbers are never used twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "bytes.hpp"
#include "triptych/score/rules_table.hpp"

namespace triptych::web {

class HandleTable {
public:
    static constexpr std::size_t most = 256;

    // 0 when the table is full.
    template <typename Thing>
    std::uint32_t put(std::shared_ptr<Thing> thing) {
        if (places_.size() >= most) return 0;
        places_[++last_] = {std::move(thing), &kind<Thing>};
        return last_;
    }

    template <typename Thing>
    std::shared_ptr<Thing> get(std::uint32_t number) const {
        const auto found = places_.find(number);
        if (found == places_.end() || found->second.kind != &kind<Thing>) return nullptr;
        return std::static_pointer_cast<Thing>(found->second.thing);
    }

    bool drop(std::uint32_t number) { return places_.erase(number) > 0; }

private:
    struct Place {
        std::shared_ptr<void> thing;
        const char* kind;
    };

    template <typename Thing>
    inline static const char kind = 0;

    std::map<std::uint32_t, Place> places_;
    std::uint32_t last_ = 0;
};

HandleTable& handles();

// The thing that the question's next number names; refused and null without one.
template <typename Thing>
std::shared_ptr<Thing> stored(Reader& in) {
    std::shared_ptr<Thing> thing = handles().get<Thing>(in.number<std::uint32_t>());
    if (thing == nullptr) in.refuse(unknown_handle, "nothing of that kind is kept under this number");
    return thing;
}

template <typename Thing>
std::uint32_t stored_number(Reader& in, std::shared_ptr<Thing> thing) {
    const std::uint32_t number = handles().put(std::move(thing));
    if (number == 0) in.refuse(out_of_memory, "too much is kept; let something go");
    return number;
}

template <typename Thing>
void store(Reader& in, Writer& out, std::shared_ptr<Thing> thing) {
    out.add(stored_number(in, std::move(thing)));
}

// A ruleset's integers as the server compiles them. Refused where the kernel has no such rules.
RulesTable read_rules(Reader& in);

}  // namespace triptych::web

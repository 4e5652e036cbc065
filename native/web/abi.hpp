// One request is one exported function: bytes at `data` go in, a Status comes out, and `answer`, `answer_size` say where the
// result lies until the next request. Rules, models, strategies and analyses are stored between requests, by number.
#pragma once

#include <any>
#include <cstdint>
#include <memory>
#include <utility>

#include "bytes.hpp"
#include "triptych/play/deal.hpp"
#include "triptych/score/rules_table.hpp"

namespace triptych::web {

inline constexpr std::uint32_t max_rollouts = 1'000'000;

// Stores an object; 0 when too many are stored. Numbers are never used twice.
std::uint32_t store_object(std::any object);
// What is stored under a number; empty without one.
std::any stored_object(std::uint32_t number);

// The object that the request's next number names; refused and null without one.
template <typename Type>
std::shared_ptr<Type> stored(Reader& in) {
    const std::any object = stored_object(in.number<std::uint32_t>());
    if (const auto* result = std::any_cast<std::shared_ptr<Type>>(&object)) return *result;
    in.refuse(unknown_handle, "nothing of that kind is kept under this number");
    return nullptr;
}

template <typename Type>
std::uint32_t stored_number(Reader& in, std::shared_ptr<Type> object) {
    const std::uint32_t number = store_object(std::move(object));
    if (number == 0) in.refuse(out_of_memory, "too much is kept; let something go");
    return number;
}

template <typename Type>
void store(Reader& in, Writer& out, std::shared_ptr<Type> object) {
    out.add(stored_number(in, std::move(object)));
}

// A ruleset's integers as the server compiles them. Refused where the kernel has no such rules.
RulesTable read_rules(Reader& in);
// Hands, jokers, streets, and of each street the cards that are dealt and placed.
DealShape read_shape(Reader& in);
// How many rollouts, at most a million.
std::uint32_t read_rollouts(Reader& in);

std::int32_t handle_request(const std::uint8_t* data, std::uint32_t size, void (*handler)(Reader& in, Writer& out));

}  // namespace triptych::web

#define TRIPTYCH_EXPORT(name) extern "C" __attribute__((visibility("default"), export_name(#name)))

#define TRIPTYCH_REQUEST(name)                                                                         \
    static void handle_##name(triptych::web::Reader& in, triptych::web::Writer& out);                  \
    TRIPTYCH_EXPORT(name) std::int32_t triptych_##name(const std::uint8_t* data, std::uint32_t size) { \
        return triptych::web::handle_request(data, size, handle_##name);                               \
    }                                                                                                  \
    static void handle_##name([[maybe_unused]] triptych::web::Reader& in, [[maybe_unused]] triptych::web::Writer& out)

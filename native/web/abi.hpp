// One question is one exported function: bytes at `data` go in, a Status comes out, and `answer`, `answer_size` say where
// the answer lies until the next question.
#pragma once

#include <cstdint>

#include "bytes.hpp"
#include "handles.hpp"

namespace triptych::web {

std::int32_t handle_request(const std::uint8_t* data, std::uint32_t size, void (*question)(Reader& in, Writer& out));

}  // namespace triptych::web

#define TRIPTYCH_EXPORT(name) extern "C" __attribute__((visibility("default"), export_name(#name)))

#define TRIPTYCH_QUESTION(name)                                                                               \
    static void ask_##name(triptych::web::Reader& in, triptych::web::Writer& out);                            \
    TRIPTYCH_EXPORT(name) std::int32_t triptych_##name(const std::uint8_t* data, std::uint32_t size) {        \
        return triptych::web::handle_request(data, size, ask_##name);                                              \
    }                                                                                                         \
    static void ask_##name([[maybe_unused]] triptych::web::Reader& in, [[maybe_unused]] triptych::web::Writer& out)

// SHA-256 of many messages of one length, eight at a time. Source: FIPS 180-4.
#pragma once

#include <cstddef>
#include <cstdint>

namespace triptych::fair {

inline constexpr std::size_t digest_size = 32;

// Hashes `count` messages of `length` bytes each, which lie one behind the other, into as many digests.
void hash_all(const std::uint8_t* messages, std::size_t length, std::size_t count, std::uint8_t* digests);

}  // namespace triptych::fair

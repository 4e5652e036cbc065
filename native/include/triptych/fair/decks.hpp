// Roots of the Merkle trees of committed decks. The reference is Python's (src/triptych/fair/decks.py, `deck_root`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace triptych::fair {

// Returns the 32 bytes of each deck's root, one behind the other; `seeds` has 32 bytes a deck, `size` cards are 1 to 256.
std::vector<std::uint8_t> deck_roots(const std::vector<std::uint8_t>& seeds, std::size_t size);

}  // namespace triptych::fair

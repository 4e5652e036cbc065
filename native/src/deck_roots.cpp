#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "triptych/fair/decks.hpp"
#include "triptych/fair/sha256.hpp"

namespace triptych::fair {
namespace {

using Bytes = std::vector<std::uint8_t>;

// The first byte of what is hashed, and what the numbers of a key are for (src/triptych/fair/hashes.py).
enum Tag : std::uint8_t { leaf_tag = 0, node_tag = 1, block_tag = 3 };
enum Purpose : std::uint8_t { shuffle = 0, salts = 1 };

constexpr std::size_t salt_size = 16;
constexpr std::size_t byte_values = 256;

// Bytes that a key of 32 bytes gives for a purpose: `count` blocks of 32 from a number on.
Bytes key_bytes(const std::uint8_t* key, Purpose purpose, std::size_t first, std::size_t count) {
    constexpr std::size_t length = 1 + digest_size + 3;
    Bytes messages(count * length);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint8_t* const message = messages.data() + i * length;
        message[0] = block_tag;
        std::copy_n(key, digest_size, message + 1);
        message[length - 3] = purpose;
        message[length - 2] = static_cast<std::uint8_t>((first + i) >> 8);
        message[length - 1] = static_cast<std::uint8_t>(first + i);
    }
    Bytes bytes(count * digest_size);
    hash_all(messages.data(), length, count, bytes.data());
    return bytes;
}

// The cards of a deck in the order of its leaves: Fisher-Yates, where bytes that would favour some cards are rejected.
Bytes shuffled(const std::uint8_t* seed, std::size_t size) {
    constexpr std::size_t blocks_at_once = 8;
    Bytes order(size);
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    Bytes bytes;
    std::size_t next = 0;
    std::size_t blocks = 0;
    for (std::size_t last = size - 1; last > 0;) {
        if (next == bytes.size()) {
            bytes = key_bytes(seed, shuffle, blocks, blocks_at_once);
            blocks += blocks_at_once;
            next = 0;
        }
        const std::size_t byte = bytes[next++];
        if (byte >= byte_values - byte_values % (last + 1)) continue;
        std::swap(order[last], order[byte % (last + 1)]);
        --last;
    }
    return order;
}

// The roots of trees that have as many leaves each, which lie one behind the other.
Bytes roots(Bytes level, std::size_t trees) {
    constexpr std::size_t length = 1 + 2 * digest_size;
    for (std::size_t size = level.size() / digest_size / trees; size > 1; size = (size + 1) / 2) {
        const std::size_t pairs = size / 2;
        Bytes messages(trees * pairs * length);
        for (std::size_t tree = 0; tree < trees; ++tree) {
            for (std::size_t pair = 0; pair < pairs; ++pair) {
                std::uint8_t* const message = messages.data() + (tree * pairs + pair) * length;
                message[0] = node_tag;
                std::copy_n(level.data() + (tree * size + 2 * pair) * digest_size, 2 * digest_size, message + 1);
            }
        }
        Bytes nodes(trees * pairs * digest_size);
        hash_all(messages.data(), length, trees * pairs, nodes.data());
        if (size % 2 == 0) {
            level = std::move(nodes);
            continue;
        }
        Bytes above;  // what is left over goes up as it is
        for (std::size_t tree = 0; tree < trees; ++tree) {
            const auto from = nodes.begin() + static_cast<std::ptrdiff_t>(tree * pairs * digest_size);
            above.insert(above.end(), from, from + static_cast<std::ptrdiff_t>(pairs * digest_size));
            const auto end = level.begin() + static_cast<std::ptrdiff_t>((tree + 1) * size * digest_size);
            above.insert(above.end(), end - static_cast<std::ptrdiff_t>(digest_size), end);
        }
        level = std::move(above);
    }
    return level;
}

}  // namespace

std::vector<std::uint8_t> deck_roots(const std::vector<std::uint8_t>& seeds, std::size_t size) {
    constexpr std::size_t length = 1 + salt_size + 2;
    const std::size_t decks = seeds.size() / digest_size;
    Bytes messages(decks * size * length);
    for (std::size_t deck = 0; deck < decks; ++deck) {
        const std::uint8_t* const seed = seeds.data() + deck * digest_size;
        const Bytes order = shuffled(seed, size);
        const Bytes salt = key_bytes(seed, salts, 0, (size + 1) / 2);
        for (std::size_t at = 0; at < size; ++at) {
            std::uint8_t* const message = messages.data() + (deck * size + at) * length;
            message[0] = leaf_tag;
            std::copy_n(salt.data() + at * salt_size, salt_size, message + 1);
            message[length - 2] = static_cast<std::uint8_t>(at);
            message[length - 1] = order[at];
        }
    }
    Bytes leaves(decks * size * digest_size);
    hash_all(messages.data(), length, decks * size, leaves.data());
    return decks == 0 ? Bytes{} : roots(std::move(leaves), decks);
}

}  // namespace triptych::fair

#include "triptych/fair/sha256.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#if (defined(__x86_64__) || defined(_M_X64)) && (defined(__GNUC__) || defined(__clang__))
#define TRIPTYCH_HAS_AVX2_VERSION 1
#define TRIPTYCH_INLINE [[gnu::always_inline]] inline
#else
#define TRIPTYCH_INLINE inline
#endif

namespace triptych::fair {
namespace {

using Word = std::uint32_t;

// Each step is done for all lanes at once.
constexpr std::size_t lanes = 8;
constexpr std::size_t block_size = 64;
constexpr std::size_t length_size = 8;
constexpr std::size_t rounds = 64;
constexpr std::size_t state_words = 8;

#if defined(__GNUC__)
typedef Word Lanes __attribute__((vector_size(lanes * sizeof(Word))));
#pragma GCC diagnostic ignored "-Wpsabi"  // whatever takes or returns lanes is inlined
#else
struct Lanes {
    std::array<Word, lanes> words{};
    Word& operator[](std::size_t lane) { return words[lane]; }
    template <typename Operation>
    Lanes with(const Lanes& other, Operation operation) const {
        Lanes result;
        for (std::size_t lane = 0; lane < lanes; ++lane) result.words[lane] = operation(words[lane], other.words[lane]);
        return result;
    }
    Lanes operator+(const Lanes& other) const { return with(other, std::plus<>()); }
    Lanes operator+(Word number) const {
        return with(*this, [number](Word word, Word) { return word + number; });
    }
    Lanes operator^(const Lanes& other) const { return with(other, std::bit_xor<>()); }
    Lanes operator&(const Lanes& other) const { return with(other, std::bit_and<>()); }
    Lanes operator|(const Lanes& other) const { return with(other, std::bit_or<>()); }
    Lanes operator>>(Word bits) const {
        return with(*this, [bits](Word word, Word) { return word >> bits; });
    }
    Lanes operator<<(Word bits) const {
        return with(*this, [bits](Word word, Word) { return word << bits; });
    }
};
#endif
using State = std::array<Lanes, state_words>;

constexpr std::array<Word, state_words> initial{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

constexpr std::array<Word, rounds> constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74,
    0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d,
    0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e,
    0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5,
    0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

TRIPTYCH_INLINE Lanes turned(const Lanes& word, Word bits) { return (word >> bits) | (word << (32 - bits)); }

// Mixes a block of each lane, of whose words the first 16 are given, into the states.
TRIPTYCH_INLINE void mix(State& state, std::array<Lanes, rounds>& words) {
    for (std::size_t t = 16; t < rounds; ++t) {
        const Lanes early = words[t - 15], late = words[t - 2];
        words[t] =
            words[t - 16] + (turned(early, 7) ^ turned(early, 18) ^ (early >> 3U)) + words[t - 7] + (turned(late, 17) ^ turned(late, 19) ^ (late >> 10U));
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t t = 0; t < rounds; ++t) {
        const Lanes choice = g ^ (e & (f ^ g)), majority = (a & b) | (c & (a | b));
        const Lanes sum = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + (words[t] + constants[t]);
        h = g, g = f, f = e, e = d + sum;
        d = c, c = b, b = a, a = sum + (turned(b, 2) ^ turned(b, 13) ^ turned(b, 22)) + majority;
    }
    const State mixed{a, b, c, d, e, f, g, h};
    for (std::size_t word = 0; word < state_words; ++word) state[word] = state[word] + mixed[word];
}

void mix_anywhere(State& state, std::array<Lanes, rounds>& words) { mix(state, words); }

#ifdef TRIPTYCH_HAS_AVX2_VERSION
[[gnu::target("avx2")]] void mix_with_avx2(State& state, std::array<Lanes, rounds>& words) { mix(state, words); }

const auto mix_here = __builtin_cpu_supports("avx2") ? &mix_with_avx2 : &mix_anywhere;
#else
const auto mix_here = &mix_anywhere;
#endif

Word big_endian(const std::uint8_t* bytes) { return (Word{bytes[0]} << 24) | (Word{bytes[1]} << 16) | (Word{bytes[2]} << 8) | Word{bytes[3]}; }

}  // namespace

void hash_all(const std::uint8_t* messages, std::size_t length, std::size_t count, std::uint8_t* digests) {
    const std::size_t blocks = (length + 1 + length_size + block_size - 1) / block_size;
    // Each lane's message with its padding: a bit, zeros, the length in bits. Lanes without a message hash zeros.
    std::vector<std::uint8_t> padded(lanes * blocks * block_size);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        std::uint8_t* const end = padded.data() + (lane + 1) * blocks * block_size;
        padded[lane * blocks * block_size + length] = 0x80;
        for (std::size_t byte = 0; byte < length_size; ++byte) {
            end[-1 - static_cast<std::ptrdiff_t>(byte)] = static_cast<std::uint8_t>((std::uint64_t{length} * 8) >> (8 * byte));
        }
    }
    for (std::size_t first = 0; first < count; first += lanes) {
        const std::size_t used = std::min(lanes, count - first);
        for (std::size_t lane = 0; lane < used; ++lane) { std::copy_n(messages + (first + lane) * length, length, padded.data() + lane * blocks * block_size); }
        State state;
        for (std::size_t word = 0; word < state_words; ++word) {
            for (std::size_t lane = 0; lane < lanes; ++lane) state[word][lane] = initial[word];
        }
        for (std::size_t block = 0; block < blocks; ++block) {
            std::array<Lanes, rounds> words;
            for (std::size_t word = 0; word < block_size / 4; ++word) {
                for (std::size_t lane = 0; lane < lanes; ++lane) {
                    words[word][lane] = big_endian(padded.data() + (lane * blocks + block) * block_size + 4 * word);
                }
            }
            mix_here(state, words);
        }
        for (std::size_t lane = 0; lane < used; ++lane) {
            for (std::size_t byte = 0; byte < digest_size; ++byte) {
                digests[(first + lane) * digest_size + byte] = static_cast<std::uint8_t>(state[byte / 4][lane] >> (24 - 8 * (byte % 4)));
            }
        }
    }
}

}  // namespace triptych::fair

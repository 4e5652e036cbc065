// Saved games as bytes, which only the same build reads again, for the same rules and shape: a hash (FNV-1a, eight bytes at a time)
// stands before them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "triptych/play/game.hpp"

namespace triptych {

class SavedState {
public:
    explicit SavedState(const RulesTable& rules = {}, const GameShape& shape = {}) {
        add(&rules, sizeof rules);
        const DealShape& deal = shape.deal;
        for (const std::size_t number : {deal.hands, std::size_t{deal.deck}, deal.streets, std::size_t{deal.closed}, std::size_t{deal.can_surrender},
                                         std::size_t{deal.lone_hand_is_hidden}, shape.players, std::size_t{shape.chain}, std::size_t{shape.button_moves}}) {
            mix(number);
        }
        add(deal.dealt.data(), deal.dealt.size());
        add(deal.placed.data(), deal.placed.size());
    }

    std::vector<std::uint8_t> save(const void* state, std::size_t size) {
        add(state, size);
        std::vector<std::uint8_t> saved(sizeof hash_ + size);
        std::memcpy(saved.data(), &hash_, sizeof hash_);
        std::memcpy(saved.data() + sizeof hash_, state, size);
        return saved;
    }

    // The state that was saved; null where it is not one of `size` bytes.
    const std::uint8_t* load(std::span<const std::uint8_t> saved, std::size_t size) {
        if (saved.size() != sizeof hash_ + size) return nullptr;
        const std::uint8_t* state = saved.data() + sizeof hash_;
        add(state, size);
        return std::memcmp(saved.data(), &hash_, sizeof hash_) == 0 ? state : nullptr;
    }

private:
    void add(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const char*>(data);
        for (std::size_t i = 0; i < size; i += sizeof(std::uint64_t)) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes + i, std::min(sizeof word, size - i));
            mix(word);
        }
    }

    void mix(std::uint64_t word) { hash_ = (hash_ ^ word) * 0x100000001B3ULL; }

    std::uint64_t hash_ = 0xCBF29CE484222325ULL;
};

}  // namespace triptych

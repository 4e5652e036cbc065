// Requests come and results go as bytes, little-endian and without padding. What is read is checked: a short or wrong
// request is refused with a reason, and everything read after that is zero.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "triptych/result.hpp"
#include "triptych/score/board.hpp"
#include "triptych/score/cards.hpp"

namespace triptych::web {

static_assert(std::endian::native == std::endian::little);

// How a request ends; unless it is answered, the bytes are text that says why.
enum Status : std::int32_t { answered = 0, wrong_size = 1, wrong_value = 2, unknown_handle = 3, out_of_memory = 4 };

inline constexpr double max_number = 1e6;

class Reader {
public:
    Reader(const std::uint8_t* data, std::size_t size) : remaining_(data, size) {}

    bool refused() const { return status_ != answered; }
    Status status() const { return status_; }
    std::string_view reason() const { return reason_; }

    void refuse(Status status, std::string_view reason) {
        if (refused()) return;
        status_ = status;
        reason_ = reason;
    }

    void require(bool condition, std::string_view reason) {
        if (!condition) refuse(wrong_value, reason);
    }

    // Whether everything was read and nothing refused.
    bool complete() {
        if (!remaining_.empty()) refuse(wrong_size, "the question is too long");
        return !refused();
    }

    template <typename Number>
    Number number() {
        static_assert(std::is_arithmetic_v<Number>);
        Number value{};
        const std::span<const std::uint8_t> raw = take(sizeof value);
        if (!raw.empty()) std::memcpy(&value, raw.data(), sizeof value);
        if constexpr (std::is_floating_point_v<Number>) {
            if (!(std::fabs(value) <= max_number)) {
                refuse(wrong_value, "a number is not finite, or absurd");
                return 0;
            }
        }
        return value;
    }

    template <typename Number, std::size_t size>
    std::array<Number, size> numbers() {
        std::array<Number, size> values{};
        for (Number& value : values) value = number<Number>();
        return values;
    }

    // A number from `min` to `max`; `min` where it is another one.
    std::uint32_t within(std::uint32_t min, std::uint32_t max, std::string_view reason) {
        const auto value = number<std::uint32_t>();
        if (min <= value && value <= max) return value;
        refuse(wrong_value, reason);
        return min;
    }

    std::uint8_t small(std::uint32_t max, std::string_view reason) { return static_cast<std::uint8_t>(within(0, max, reason)); }
    bool flag() { return within(0, 1, "0 or 1 expected") == 1; }

    std::span<const std::uint8_t> take(std::size_t size) {
        if (refused()) return {};
        if (size > remaining_.size()) {
            refuse(wrong_size, "the question is too short");
            return {};
        }
        const auto taken = remaining_.first(size);
        remaining_ = remaining_.subspan(size);
        return taken;
    }

    // A byte that counts them, then the cards, each of which is new to `seen`.
    std::span<const Card> cards(std::size_t max, CardSet& seen) {
        const std::size_t count = number<std::uint8_t>();
        if (count > max) refuse(wrong_value, "too many cards");
        return some_cards(count, seen);
    }

    std::span<const Card> some_cards(std::size_t count, CardSet& seen) {
        const std::span<const Card> cards = take(count);
        for (const Card card : cards) {
            require(card < joker_end, "a card is a number from 0 to 53");
            require(card >= joker_end || (seen & bit(card)) == 0, "a card is given twice");
            if (card < joker_end) seen |= bit(card);
        }
        return refused() ? std::span<const Card>{} : cards;
    }

    // Thirteen cards, each once; whatever they were, some where they are refused.
    std::array<Card, board_size> board(CardSet& seen) {
        std::array<Card, board_size> board{};
        const std::span<const Card> cards = some_cards(board_size, seen);
        std::copy(cards.begin(), cards.end(), board.begin());
        return board;
    }

private:
    std::span<const std::uint8_t> remaining_;
    Status status_ = answered;
    std::string_view reason_;
};

class Writer {
public:
    explicit Writer(std::vector<std::uint8_t>& out) : out_(out) { out_.clear(); }

    template <typename Number>
    void add(Number value) {
        static_assert(std::is_arithmetic_v<Number>);
        raw(&value, sizeof value);
    }

    // A result part by part: cards and lists after their length, flags as a byte.
    template <Result Type>
    void put(const Type& result) {
        each_part(result, [this](const char*, const auto& value) { this->part(value); });
    }

    void raw(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const std::uint8_t*>(data);
        out_.insert(out_.end(), bytes, bytes + size);
    }

private:
    template <typename Value>
    void part(const Value& value) {
        if constexpr (std::is_same_v<Value, bool>) {
            add(static_cast<std::uint8_t>(value));
        } else if constexpr (std::is_arithmetic_v<Value>) {
            add(value);
        } else if constexpr (std::is_same_v<Value, CardList>) {
            add(value.size);
            raw(value.card.data(), value.size);
        } else if constexpr (Result<Value>) {
            put(value);
        } else {
            if constexpr (List<Value>) add(static_cast<std::uint32_t>(value.size()));
            for (const auto& item : value) part(item);
        }
    }

    std::vector<std::uint8_t>& out_;
};

}  // namespace triptych::web

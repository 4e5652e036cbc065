// Questions come and answers go as bytes, little-endian and without padding. What is read is checked: a short or wrong
// question is refused with a word, and everything read after that is nothing.
#pragma once

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

// What a question is answered with; not answered, the bytes are words that say why.
enum Status : std::int32_t { answered = 0, wrong_size = 1, wrong_value = 2, unknown_handle = 3, out_of_memory = 4 };

inline constexpr double largest_value = 1e6;
inline constexpr Card joker_end = deck_size + 2;

class Reader {
public:
    Reader(const std::uint8_t* data, std::size_t size) : left_(data, size) {}

    bool refused() const { return status_ != answered; }
    Status status() const { return status_; }
    std::string_view why() const { return why_; }

    void refuse(Status status, std::string_view why) {
        if (refused()) return;
        status_ = status;
        why_ = why;
    }

    void need(bool right, std::string_view why) {
        if (!right) refuse(wrong_value, why);
    }

    // Whether everything was read and nothing refused.
    bool complete() {
        if (!left_.empty()) refuse(wrong_size, "the question is too long");
        return !refused();
    }

    template <typename Number>
    Number number() {
        static_assert(std::is_arithmetic_v<Number>);
        Number value{};
        const std::span<const std::uint8_t> raw = take(sizeof value);
        if (!raw.empty()) std::memcpy(&value, raw.data(), sizeof value);
        if constexpr (std::is_floating_point_v<Number>) {
            if (!(std::fabs(value) <= largest_value)) {
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

    // A number from `least` to `most`; `least` where it is another one.
    std::uint32_t within(std::uint32_t least, std::uint32_t most, std::string_view why) {
        const auto value = number<std::uint32_t>();
        if (least <= value && value <= most) return value;
        refuse(wrong_value, why);
        return least;
    }

    std::span<const std::uint8_t> take(std::size_t size) {
        if (refused()) return {};
        if (size > left_.size()) {
            refuse(wrong_size, "the question is too short");
            return {};
        }
        const auto taken = left_.first(size);
        left_ = left_.subspan(size);
        return taken;
    }

    // A byte that counts them, then the cards, each of which is new to `seen`.
    std::vector<Card> cards(std::size_t most, CardSet& seen) {
        const std::size_t count = number<std::uint8_t>();
        if (count > most) refuse(wrong_value, "too many cards");
        return some_cards(count, seen);
    }

    std::vector<Card> some_cards(std::size_t count, CardSet& seen) {
        const std::span<const std::uint8_t> raw = take(count);
        std::vector<Card> cards(raw.begin(), raw.end());
        for (const Card card : cards) {
            if (card >= joker_end) {
                refuse(wrong_value, "a card is a number from 0 to 53");
            } else if ((seen & bit(card)) != 0) {
                refuse(wrong_value, "a card is given twice");
            } else {
                seen |= bit(card);
            }
        }
        return refused() ? std::vector<Card>{} : cards;
    }

    // Thirteen cards, each once; whatever they were, some where they are refused.
    std::array<Card, board_size> thirteen(CardSet& seen) {
        std::array<Card, board_size> board{};
        const std::vector<Card> cards = some_cards(board_size, seen);
        for (std::size_t i = 0; i < cards.size(); ++i) board[i] = cards[i];
        return board;
    }

private:
    std::span<const std::uint8_t> left_;
    Status status_ = answered;
    std::string_view why_;
};

class Writer {
public:
    explicit Writer(std::vector<std::uint8_t>& out) : out_(out) { out_.clear(); }

    template <typename Number>
    void add(Number value) {
        static_assert(std::is_arithmetic_v<Number>);
        raw(&value, sizeof value);
    }

    template <typename Numbers>
    void add_all(const Numbers& values) {
        for (const auto value : values) add(value);
    }

    // A result part by part: cards and lists after their length, flags as a byte.
    template <Result Type>
    void put(const Type& result) { result.each(Visit{*this}); }

    void raw(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const std::uint8_t*>(data);
        out_.insert(out_.end(), bytes, bytes + size);
    }

private:
    struct Visit {
        Writer& out;
        template <typename Value>
        const Visit& operator()(const char*, const Value& value) const {
            out.part(value);
            return *this;
        }
    };

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

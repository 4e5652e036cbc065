// Bindings of what commits decks before they are dealt.
#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "input.hpp"
#include "triptych/fair/decks.hpp"
#include "triptych/fair/sha256.hpp"

namespace nb = nanobind;
using namespace triptych;
using namespace triptych::bind;

namespace {

nb::bytes deck_roots(const nb::bytes& seeds, std::size_t size) {
    need(seeds.size() % fair::digest_size == 0, "seeds have 32 bytes a deck");
    need(size >= 1 && size <= 256, "a deck has 1 to 256 cards");
    const auto* const bytes = static_cast<const std::uint8_t*>(seeds.data());
    const std::vector<std::uint8_t> roots = fair::deck_roots({bytes, bytes + seeds.size()}, size);
    return nb::bytes(roots.data(), roots.size());
}

}  // namespace

void init_fair(nb::module_& m) {
    m.def("deck_roots", &deck_roots, nb::arg("seeds"), nb::arg("size"),
          "Roots of the Merkle trees of decks, 32 bytes each.\n\n`seeds` has 32 bytes a deck, which has `size` cards, 1 to 256.");
}

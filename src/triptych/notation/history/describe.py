"""A step of a deal as an English sentence: `Ann puts Kd in front and 7s in the middle`."""

from __future__ import annotations

from triptych.board import ROWS, Layout
from triptych.cards import UNKNOWN_CARD
from triptych.notation.history.model import Step
from triptych.scoring.sheet.hand_names import natural_name


def describe_step(step: Step, name: str) -> str:  # noqa: C901 - one case a verb
    """Return a step of the player `name` as a sentence without a full stop."""
    match step.verb:
        case "deal":
            return f"{name} gets {_cards(step.cards)}"
        case "arrange":
            return f"{name} arranges {_rows(step.layout) or 'nothing'}"
        case "place":
            placements = [_rows(step.layout), *([_unknown_cards(step.covered)] if step.covered else [])]
            discards = f", throws away {_cards(step.discards)}" if step.discards else ""
            return f"{name} puts {', '.join(filter(None, placements)) or 'nothing'}{discards}"
        case "natural":
            return f"{name} takes a natural: {_natural(step.word)}"
        case "announce":
            return f"{name} {'plays' if step.word == 'play' else 'surrenders'}"
        case "declare":
            return f"{name} declares {_join_with_and(step.rows) or 'no royalties'}"
        case "dead":
            return f"{name} runs out of time, and the board is dead"
        case "hint":
            return f"{name} asked for a hint"
        case "show":
            return f"{name} shows {_rows(step.layout)}"
        case "show_natural":
            return f"{name} shows {_natural(step.word)}: {_cards(step.cards)}"


def _natural(kind: str) -> str:
    name = natural_name(kind)
    return name[0].lower() + name[1:]


def _cards(cards: tuple[str, ...]) -> str:
    known_cards = [card for card in cards if card != UNKNOWN_CARD]
    unknown = len(cards) - len(known_cards)
    return " and ".join(filter(None, [" ".join(known_cards), _unknown_cards(unknown) if unknown else ""]))


def _unknown_cards(count: int) -> str:
    return "a card unseen" if count == 1 else f"{count} cards unseen"


def _rows(layout: Layout) -> str:
    phrases = {"front": "in front", "middle": "in the middle", "back": "in the back"}
    return _join_with_and([f"{' '.join(cards)} {phrases[row]}" for row in ROWS if (cards := getattr(layout, row))])


def _join_with_and(items: tuple[str, ...] | list[str]) -> str:
    return " and ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))

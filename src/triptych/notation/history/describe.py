"""A step of a deal in words, for people who read a history: `Ann puts Kd in front and 7s in the middle`."""

from __future__ import annotations

from triptych.board import ROWS, Layout
from triptych.cards import UNKNOWN_CARD
from triptych.notation.history.model import Step
from triptych.scoring.sheet.hand_names import natural_name


def describe_step(step: Step, name: str) -> str:  # noqa: C901 - one case a verb
    """Return what a player of this `name` did, or what happened to their hand, as one sentence without its stop."""
    match step.verb:
        case "deal":
            return f"{name} gets {_cards(step.cards)}"
        case "arrange":
            return f"{name} arranges {_rows(step.layout) or 'nothing'}"
        case "place":
            placed = [_rows(step.layout), *([_unseen(step.covered)] if step.covered else [])]
            thrown = f", throws away {_cards(step.discards)}" if step.discards else ""
            return f"{name} puts {', '.join(filter(None, placed)) or 'nothing'}{thrown}"
        case "natural":
            return f"{name} takes a natural: {_natural(step.word)}"
        case "announce":
            return f"{name} {'plays' if step.word == 'play' else 'surrenders'}"
        case "declare":
            return f"{name} declares {_listed(step.rows) or 'no royalties'}"
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
    faces = [card for card in cards if card != UNKNOWN_CARD]
    unseen = len(cards) - len(faces)
    return " and ".join(filter(None, [" ".join(faces), _unseen(unseen) if unseen else ""]))


def _unseen(count: int) -> str:
    return "a card unseen" if count == 1 else f"{count} cards unseen"


def _rows(layout: Layout) -> str:
    where = {"front": "in front", "middle": "in the middle", "back": "in the back"}
    return _listed([f"{' '.join(cards)} {where[row]}" for row in ROWS if (cards := getattr(layout, row))])


def _listed(parts: tuple[str, ...] | list[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))

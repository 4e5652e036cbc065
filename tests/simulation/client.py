"""A player's program: it keeps a view by its parts, proves it, and repeats a command until it is answered."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

import msgspec

from tests.patched_view import apply_patch, expand_paths
from tests.simulation.judge import STOPPED
from tests.simulation.network import Line
from triptych.rulesets.model import bankroll_mode

if TYPE_CHECKING:
    from random import Random

    from tests.simulation.judge import Judge
    from tests.simulation.network import Network
    from triptych.rulesets.model import Ruleset

_JSON = msgspec.json.Encoder()
_READ = msgspec.json.Decoder()


class PlayerHabits(NamedTuple):
    """How a player is: seconds of thought, chances of what they do between moves, and of being away for a while."""

    thought: float = 0.3
    wanders: float = 0.0
    restless: float = 0.0
    whole: bool = False
    plays: bool = True
    hosts: bool = False
    rests: float = 0.0
    chatty: float = 0.0


class Client:
    """One guest at one table."""

    def __init__(
        self,
        network: Network,
        judge: Judge,
        table: str,
        player: str,
        rules: Ruleset,
        habits: PlayerHabits,
        rng: Random,
    ) -> None:
        self.player = player
        self.table = table
        self.view: dict[str, Any] = {}
        self._paths: list[Any] = []
        self.habits = habits
        self.diligent = False
        self.stopped = False
        self.damaged = False
        self._network = network
        self._judge = judge
        self._rules = rules
        self._rng = rng
        self._line: Line | None = None
        self._pending: tuple[str, str] | None = None
        self._since = 0.0
        self._number = 0
        self.proofs = 0
        self.look = 1.0  # which share of what is shown is held against the truth

    @property
    def waiting(self) -> bool:
        """Return whether a command is not answered yet."""
        return self._pending is not None

    async def run(self) -> None:
        """Come, play, wander; forever."""
        rng = self._rng
        now = asyncio.get_running_loop().time
        while not self.stopped:
            await asyncio.sleep(rng.expovariate(1 / self.habits.thought) + 0.01)
            line = self._line
            if line is None or not line.open:
                self._connect()
                continue
            if not self.diligent and rng.random() < self.habits.wanders:
                line.open = False
                self._network.hang_up(line)
                await asyncio.sleep(rng.choice((1, 5, 40, 150)) * rng.random())
                continue
            if self._pending is not None:
                if now() - self._since > 2.5:
                    self._since = now()
                    if rng.random() < 0.3:
                        line.open = False
                        self._network.hang_up(line)
                    else:
                        self._network.up(line, self._pending[1])
                continue
            if self.view:
                action = self._choice()
                if action is not None:
                    self._ask(line, action)
                else:
                    await asyncio.sleep(rng.random() * self.habits.thought)

    def cut(self, server: object) -> None:
        """Lose the connection, if it ends at a server."""
        if self._line is not None and self._line.server is server:
            self._line.open = False

    def _connect(self) -> None:
        line = Line(self._network, self.player, self._hear)
        if not line.server.accept(line):
            return
        self._line = line
        self._watch(line, since=self._rng.random() < 0.5)
        if self._pending is not None:
            self._since = asyncio.get_running_loop().time()
            self._network.up(line, self._pending[1])

    def _watch(self, line: Line, *, since: bool) -> None:
        held = self.view.get("v") if since else None
        frame = {"t": "watch", "table": self.table, "since": held, "whole": self.habits.whole}
        self.view = {}
        self._network.up(line, _JSON.encode(frame).decode())

    def _ask(self, line: Line, action: dict[str, Any]) -> None:
        self._number += 1
        cmd_id = f"{self.player}.{self._number}"
        frame = {"t": "do", "cmd_id": cmd_id, "table": self.table, "seen": self.view["v"], "action": action}
        self._pending = cmd_id, _JSON.encode(frame).decode()
        self._since = asyncio.get_running_loop().time()
        self._network.up(line, self._pending[1])

    def _hear(self, line: Line, text: str) -> None:
        if line is not self._line:
            return
        message = _READ.decode(text)
        match message["t"]:
            case "update":
                self.view = message["view"]
                self._paths = message.get("paths", [])
                self._report_view()
            case "parts":
                self._put(line, message)
            case "ack" | "refused" if self._pending is not None and message["cmd_id"] == self._pending[0]:
                self._pending = None
        if message.get("error", {}).get("code") in STOPPED:
            self.damaged = True

    def _put(self, line: Line, message: dict[str, Any]) -> None:
        """Put parts into the view that they lead on from, and prove it when asked; else ask for the whole."""
        if self.view.get("v") != message["after"]:
            if self.view:
                self._watch(line, since=True)
            return
        self.view = apply_patch(self.view, expand_paths(message, self._paths))
        self._report_view()
        if "proof" in message:
            self.proofs += 1
            if crc32(_JSON.encode(self.view)) != message["proof"]:
                self._judge.fail(f"{self.player} holds another view of {self.table} than the server says")

    def _report_view(self) -> None:
        if self.look >= 1 or self._rng.random() < self.look:
            self._judge.check_view(self.table, self.player, self.view["v"], _JSON.encode(self.view))

    def _choice(self) -> dict[str, Any] | None:
        """Return what to ask now, None for nothing."""
        view, rng, habits = self.view, self._rng, self.habits
        deal, may = view["deal"], view["may"]
        if self.diligent and "go_on" in may:
            return {"do": "go_on"}
        if deal is not None and deal["tasks"] and (self.diligent or rng.random() >= habits.rests):
            return answer(rng.choice(deal["tasks"]), rng)
        if self.diligent:
            return next(({"do": wish} for wish in ("close_table", "sit_in", "ready") if wish in may), None)
        if rng.random() < habits.chatty and "say" in may:
            return {"do": "say", "text": f"line {rng.randrange(100)}"}
        if rng.random() < habits.restless:
            return self._whim(may)
        if habits.hosts and rng.random() < 0.05:
            return self._hosting(may)
        return self._usual(may)

    def _usual(self, may: list[str]) -> dict[str, Any] | None:
        """Return what a player who wants to play does."""
        view, rng = self.view, self._rng
        if "sit" in may:
            return self._sit() if self.habits.plays and rng.random() < 0.5 else None
        if "start" in may:
            return {"do": "start"}
        if "top_up" in may and view["seats"][view["you"]]["stack"] == 0:
            return {"do": "top_up", "points": self._rules.seats.buy_in_min}
        return next(({"do": wish} for wish in ("ready", "sit_in") if wish in may and rng.random() < 0.4), None)

    def _sit(self) -> dict[str, Any] | None:
        seats = self._rules.seats
        free = [seat["seat"] for seat in self.view["seats"] if not seat["player"]]
        buy_in = self._rng.randint(seats.buy_in_min, seats.buy_in_max) if buys(self._rules) else 0
        return {"do": "sit", "seat": self._rng.choice(free), "buy_in": buy_in} if free else None

    def _whim(self, may: list[str]) -> dict[str, Any] | None:
        rng = self._rng
        wish = rng.choice(("leave", "sit_out", "offer_stake", "wait", "top_up", "ahead"))
        if wish == "ahead" and self.view["deal"] is not None:
            return {"do": "ahead", "hand": 0, "action": None}
        if wish not in may:
            return None
        match wish:
            case "offer_stake":
                others = [
                    seat["seat"] for seat in self.view["seats"] if seat["player"] and seat["seat"] != self.view["you"]
                ]
                return {"do": wish, "seat": rng.choice(others), "stake": rng.randint(1, 3)}
            case "top_up":
                return {"do": wish, "points": rng.randint(1, 20)}
        return {"do": wish}

    def _hosting(self, may: list[str]) -> dict[str, Any] | None:
        rng = self._rng
        wish = rng.choice(("seat_bot", "unseat", "pause", "lock", "add_time"))
        if "go_on" in may:
            return {"do": "go_on"}
        if wish not in may:
            return None
        taken = [seat["seat"] for seat in self.view["seats"] if seat["player"] and seat["player"] != self.player]
        free = [seat["seat"] for seat in self.view["seats"] if not seat["player"]]
        match wish:
            case "seat_bot":
                buy_in = self._rules.seats.buy_in_max if buys(self._rules) else 0
                return {"do": wish, "seat": rng.choice(free), "level": "random", "buy_in": buy_in}
            case "unseat" | "add_time" if not taken:
                return None
            case "unseat":
                return {"do": wish, "seat": rng.choice(taken)}
            case "add_time":
                return {"do": wish, "seat": rng.choice(taken), "seconds": rng.randint(5, 60)}
            case "lock":
                return {"do": wish, "locked": rng.random() < 0.3}
        return {"do": wish}


def buys(rules: Ruleset) -> bool:
    """Return whether a seat costs points."""
    return bankroll_mode(rules) == "stacks"


def answer(task: dict[str, Any], rng: Random) -> dict[str, Any]:
    """Return what a player answers to a task, at random and legal in form."""
    hand = task["hand"]
    if task["kind"] == "announce":
        return {"do": "announce", "hand": hand, "play": not task["surrender"] or rng.random() < 0.9}
    if task["kind"] == "declare":
        return {"do": "declare", "hand": hand, "rows": task["rows"]}
    if task["natural"] and rng.random() < 0.7:
        return {"do": "natural", "hand": hand}
    slots = [row for row in ("back", "middle", "front") for _ in range(task["open"][row])]
    if rng.random() < 0.6:
        # What belongs together goes into the back first: legal boards, and now and then a fantasyland.
        ranks = [card[0] for card in task["cards"]]
        cards = sorted(task["cards"], key=lambda card: (-ranks.count(card[0]), card))[: task["place"]]
    else:
        cards = rng.sample(task["cards"], task["place"])
        slots = rng.sample(slots, len(cards))
    rows: dict[str, list[str]] = {"front": [], "middle": [], "back": []}
    for row, card in zip(slots, cards, strict=False):
        rows[row].append(card)
    done = "arrange" if rng.random() < 0.05 else "place"
    return {"do": done, "hand": hand, "layout": rows}

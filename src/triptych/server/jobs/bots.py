"""The jobs of bots: choosing an action for a task, and loading the weights of some rules in advance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

import msgspec

from triptych.bots.learned.bot import prepare
from triptych.bots.levels import Bot, get_level
from triptych.deal.actions import Action
from triptych.rulesets.model import Ruleset
from triptych.server.jobs.protocol import BotRequest

_REQUEST: Final = msgspec.json.Decoder(BotRequest)
_RULES: Final = msgspec.json.Decoder(Ruleset)


class BotJobs:
    """The bots of one process, each made once, and the rules decoded so far."""

    def __init__(self, seed: int) -> None:
        """`seed` is for the levels that vary their play."""
        self._seed = seed
        self._bots: dict[str, Bot] = {}
        self._rules: Callable[[bytes], Ruleset] = lru_cache(maxsize=64)(_RULES.decode)

    def choose(self, body: bytes) -> Action:
        """Return the action of a level for a task."""
        request = _REQUEST.decode(body)
        if request.level not in self._bots:
            self._bots[request.level] = get_level(request.level).factory(self._seed)
        rules = self._rules(bytes(request.rules))
        return self._bots[request.level].choose(rules, request.view, request.task, request.budget_ms)

    def prepare(self, body: bytes) -> None:
        """Load what the levels need for these rules."""
        prepare(self._rules(body))

    @property
    def jobs(self) -> Mapping[str, Callable[[bytes], object]]:
        """The jobs by their names."""
        return {"choose": self.choose, "prepare": self.prepare}

"""A server as one guest sees it: their identity, the tables, and one connection for all of them."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import httpx
import msgspec

from triptych.client.connection import Connection
from triptych.client.errors import ClientError, to_client_error
from triptych.client.table import Table
from triptych.rules_input import RulesLike, rules_document
from triptych.rulesets.load import read_toml
from triptych.rulesets.model import Ruleset
from triptych.scoring.sheet.types import ScoreSheet
from triptych.server.wire.bodies import DealRecord, ErrorBody, LobbyTable, Me, TableLink, TableRules
from triptych.server.wire.messages import Update

T = TypeVar("T")
TIMEOUT_SECONDS: Final = 30.0
RETRY_DELAYS: Final = (0.2, 1.0, 5.0)


class Client:
    """A guest at a server: `async with Client("http://127.0.0.1:8313", name="Robo") as client`.

    `identity`: the one of an earlier visit, to be the same guest again, with their seats and points. `token`: an API
    token; the program plays for its guest, under their name, and is shown as a bot. Store both like passwords.
    """

    player: str
    identity: str

    def __init__(self, url: str, *, name: str = "", identity: str = "", token: str = "") -> None:
        self.url: str = url.rstrip("/")
        self._name = name
        self.identity = identity
        self._token = token
        self._is_open = False
        self._tables: dict[str, Table] = {}

    async def __aenter__(self) -> Self:
        """Sign in as a guest and connect. Raises ClientError `room.gone` when the server cannot be reached."""
        self._http = httpx.AsyncClient(base_url=self.url, timeout=TIMEOUT_SECONDS, headers=self._headers())
        try:
            me = await self._request(Me, "GET", "/api/me")
            if not (self.identity or self._token):
                self.identity = "; ".join(f"{key}={value}" for key, value in self._http.cookies.items())
            if self._name and me.name != self._name and not self._token:
                me = await self._request(Me, "PUT", "/api/me", {"name": self._name})
        except BaseException:
            await self._http.aclose()
            raise
        self.player: str = me.player
        self.name: str = me.name
        self._is_open = True
        self.connection: Connection = Connection(
            self.url.replace("http", "ws", 1) + "/ws", self._headers(), self._on_update
        )
        self.connection.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Disconnect; a seat is kept, and its clock runs."""
        await self.connection.close()
        await self._http.aclose()

    def _headers(self) -> dict[str, str]:
        if self._token:
            return {"Authorization": f"Bearer {self._token}"}
        return {"Cookie": self.identity} if self.identity else {}

    async def tables(self) -> tuple[LobbyTable, ...]:
        """Return the lobby's list: the guest's own tables first, then the newest first."""
        return await self._request(tuple[LobbyTable, ...], "GET", "/api/tables")

    async def open_table(self, rules: RulesLike = "pineapple", **choices: object) -> Table:
        """Open a table as its host, and subscribe to it.

        `rules`: a preset, a table such as `{"preset": "pineapple", "clock.seconds": 20}`, a rules file or a Ruleset;
        `choices`: the other fields of NewTable (server/wire/bodies.py), such as `name`, `pause`, `start="full"`,
        `password`. Raises ClientError, and RulesError for a file without rules.
        """
        spec = rules_document(rules)
        body = {"name": choices.pop("name", f"{self.name}’s table"), "rules": spec, **choices}
        return await self.table((await self._request(TableLink, "POST", "/api/tables", body)).table)

    async def table(self, table: str, *, password: str = "") -> Table:
        """Subscribe to a table, by its id or its link.

        Raises ClientError, such as `table.unknown` or `table.password`.
        """
        table = table.rstrip("/").rpartition("/")[2]
        if table in self._tables:
            return self._tables[table]
        if password:
            await self._send("POST", f"/api/tables/{table}/enter", {"password": password})
        subscribed = Table(table, self.connection, lambda: self._rules(table), lambda: self._deals(table))
        subscribed.rules = await self._rules(table)
        self._tables[table] = subscribed
        try:
            await self.connection.subscribe(table)
        except BaseException:
            del self._tables[table]
            raise
        return subscribed

    async def _rules(self, table: str) -> Ruleset:
        return read_toml((await self._request(TableRules, "GET", f"/api/tables/{table}/rules")).toml)

    async def _deals(self, table: str) -> tuple[ScoreSheet, ...]:
        records = await self._request(tuple[DealRecord, ...], "GET", f"/api/tables/{table}/deals")
        return tuple([record.sheet for record in records])

    def _on_update(self, update: Update) -> None:
        if update.table in self._tables:
            self._tables[update.table].apply_update(update)

    async def _request(self, kind: type[T], method: str, path: str, body: object = None) -> T:
        content = await self._send(method, path, body)
        try:
            return msgspec.json.decode(content, type=kind)
        except msgspec.MsgspecError:
            raise ClientError("room.answer", f"no Triptych server answers at {self.url}", "$.url") from None

    async def _send(self, method: str, path: str, body: object = None) -> bytes:
        while True:
            response = await self._retry(method, path, body)
            if response.is_success:
                return response.content
            try:
                error = to_client_error(msgspec.json.decode(response.content, type=ErrorBody).error)
            except msgspec.MsgspecError:
                raise ClientError("room.answer", f"no Triptych server answers at {self.url}", "$.url") from None
            if not 0 < error.seconds <= TIMEOUT_SECONDS:
                raise error
            await asyncio.sleep(error.seconds)

    async def _retry(self, method: str, path: str, body: object) -> httpx.Response:
        """Return the server's response; a GET request is retried when the connection fails."""
        content: dict[str, Any] = {} if body is None else {"content": msgspec.json.encode(body)}
        delays = iter(RETRY_DELAYS if method == "GET" and self._is_open else ())
        while True:
            try:
                return await self._http.request(method, path, **content)
            except httpx.HTTPError as error:
                delay = next(delays, None)
                if delay is None:
                    raise ClientError("room.gone", f"{self.url} cannot be reached: {error}", "$.url") from error
            await asyncio.sleep(delay)

"""`triptych`: start the server."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter, validators
from platformdirs import user_data_path

from triptych.cli.options import Secret
from triptych.cli.server_process import ServeOptions, run_server

Seconds = Annotated[int, Parameter(validator=validators.Number(gte=0, lte=600))]


def serve(  # noqa: PLR0913 - a command's options
    *,
    host: str = "127.0.0.1",
    port: Annotated[int, Parameter(validator=validators.Number(gte=0, lte=65_535))] = 8313,
    database: Secret | None = None,
    browser: bool = True,
    pause: Seconds = 8,
    bot_delay: Annotated[float, Parameter(validator=validators.Number(gte=0, lte=60))] = 1.0,
    trust_proxy: str = "",
    sleep_after: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=86_400))] = 300,
    bus: Secret = "",
    advertise: str = "",
    keep: Annotated[int, Parameter(validator=validators.Number(gte=0, lte=36_500))] = 0,
    workers: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=256))] = 1,
    allowed_host: Annotated[list[str] | None, Parameter(negative=())] = None,
) -> None:
    """Start the server, and open its lobby in the browser.

    Parameters
    ----------
    host
        Address to listen on; 0.0.0.0 lets friends in the same network join.
    port
        Port to listen on; 0 takes any free one.
    database
        File or URL in which tables are kept (default: a file in your user data folder); @FILE reads it from a file.
    browser
        Open the lobby in the browser.
    pause
        Seconds between deals, unless a table says otherwise.
    bot_delay
        Minimum thinking time of bots, in seconds.
    trust_proxy
        Trust X-Forwarded-For and X-Forwarded-Proto from this reverse proxy address.
    sleep_after
        Unload idle tables after this many seconds.
    bus
        URL of a NATS (nats://host:4222) that servers on one PostgreSQL share; @FILE reads it from a file.
    advertise
        URL other servers use to reach this one (default: its own address and port).
    keep
        Delete finished tables and inactive guests after this many days (0 = never).
    workers
        Number of server processes (more than 1 requires PostgreSQL).
    allowed_host
        Another name or address of this server, such as cards.example.org; may be given many times.
        It always answers to this machine's own names and addresses, and refuses all others (421).

    """
    options = ServeOptions(
        host,
        port,
        database or default_database(),
        browser,
        pause,
        bot_delay,
        trust_proxy,
        sleep_after,
        bus,
        advertise.rstrip("/"),
        keep,
        tuple(allowed_host or ()),
    )
    if workers > 1:
        from triptych.cli.supervisor import supervise  # noqa: PLC0415 - imported only for several processes

        supervise(options, workers)
    else:
        run_server(options)


def default_database() -> str:
    """Return the default database file of a server."""
    return str(user_data_path("triptych", appauthor=False) / "room.db")

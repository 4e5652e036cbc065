"""`triptych`: open the room and play."""

from __future__ import annotations

import re
import socket
import sys
import threading
import webbrowser
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter, validators
from platformdirs import user_data_path
from rich.console import Console
from rich.markup import escape

if TYPE_CHECKING:
    from collections.abc import Iterable

Seconds = Annotated[int, Parameter(validator=validators.Number(gte=0, lte=600))]
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - only compared with what the host asked for


def serve(
    *,
    host: str = "127.0.0.1",
    port: Annotated[int, Parameter(validator=validators.Number(gte=0, lte=65_535))] = 8313,
    database: str | None = None,
    browser: bool = True,
    pause: Seconds = 8,
    bot_delay: Annotated[float, Parameter(validator=validators.Number(gte=0, lte=60))] = 1.0,
    trust_proxy: str = "",
    sleep_after: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=86_400))] = 300,
) -> None:
    """Open the room, and the browser on it.

    Parameters
    ----------
    host
        Address to listen on; 0.0.0.0 lets friends in the same network join.
    port
        Port to listen on; 0 takes any free one.
    database
        File or URL in which tables are kept (default: a file in your user data folder).
    browser
        Open the lobby in the browser.
    pause
        Seconds between deals, unless a table says otherwise.
    bot_delay
        Seconds that a bot takes before it moves, at least.
    trust_proxy
        Address of a reverse proxy in front, whose X-Forwarded-For and X-Forwarded-Proto are believed.
    sleep_after
        Seconds after which a table leaves memory that nobody watches and at which nothing goes on.

    """
    from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415 - only this command pays

    from triptych.server.bootstrap import Settings, bootstrap, store_at  # noqa: PLC0415 - as above
    from triptych.server.log import configure  # noqa: PLC0415 - as above
    from triptych.server.run import PortBusy, listen, run  # noqa: PLC0415 - as above
    from triptych.store.protocol import StoreError  # noqa: PLC0415 - as above

    configure()
    place = database or default_database()
    try:
        bound = listen(host, port)
        actual = bound.getsockname()[1]
        server = bootstrap(
            store_at(place),
            Settings(
                pause,
                bot_delay,
                address=_link(_reachable(host), actual),
                trust_proxy=trust_proxy,
                sleep_after=sleep_after,
            ),
        )
    except (PortBusy, StoreError) as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"cannot listen on {host}: {error.strerror}")

    def ready() -> None:
        _welcome(host, actual)
        if browser:
            threading.Thread(target=webbrowser.open, args=(_link(_reachable(host), actual),), daemon=True).start()

    try:
        run(server, bound, ready)
    except (StoreError, SQLAlchemyError, OSError) as error:
        _fail(f"cannot use the database {_without_password(place)}: {_cause(error)}")


def _fail(message: str) -> None:
    Console(stderr=True).print(f"[bold red]triptych:[/] {escape(message)}", soft_wrap=True)
    sys.exit(1)


def _cause(error: Exception) -> str:
    """Return what a database's driver said, without the statement that it said it of."""
    return str(getattr(error, "orig", None) or error)


def _without_password(database: str) -> str:
    return re.sub(r"(://[^:/@]*):[^@]*@", r"\1:***@", database)


def default_database() -> str:
    """Return the file in which a room's tables are kept unless it is told another."""
    return str(user_data_path("triptych", appauthor=False) / "room.db")


def _reachable(host: str) -> str:
    return "127.0.0.1" if host in EVERYWHERE else host


def _link(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _welcome(host: str, port: int) -> None:
    console = Console(highlight=False)
    console.print(f"\n  [bold]Triptych[/] is open: [bold cyan]{_link(_reachable(host), port)}[/]")
    if host in EVERYWHERE:
        for address in _network_addresses():
            console.print(f"  on your network:  [cyan]{_link(address, port)}[/]")
    elif _is_loopback(host):
        console.print("  [dim]for friends on your network: triptych --host 0.0.0.0[/]")
    console.print("  [dim]Ctrl-C closes the room; tables are kept[/]\n")


def _is_loopback(host: str) -> bool:
    return host == "localhost" or host.startswith("127.") or host == "::1"


def _network_addresses() -> Iterable[str]:
    """Return this machine's addresses as its network sees them."""
    found: dict[str, None] = {}
    # Nothing is sent: connecting a datagram socket only asks the system which of its addresses it would use.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            found[probe.getsockname()[0]] = None
        except OSError:
            pass
    try:
        for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            found[str(entry[4][0])] = None
    except OSError:
        pass
    return [address for address in found if not address.startswith("127.")]

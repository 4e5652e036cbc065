"""Open a room in this process: the socket, the wiring, the welcome."""

from __future__ import annotations

import gc
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterable
from typing import NamedTuple, NoReturn

from rich.console import Console
from rich.markup import escape

from triptych.cli.database import database_errors

_NO_TLS = (
    "this room is reached without TLS: whoever is on the network in between can read cookies and passwords; "
    "among friends at home that may do, for the internet put a proxy with TLS in front and name it with --trust-proxy"
)
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - only compared with what the host asked for


class ServeOptions(NamedTuple):
    """How a room is to be opened; as `serve` says. `shared`: its port is other processes' too."""

    host: str
    port: int
    database: str
    browser: bool
    pause: int
    bot_delay: float
    trust_proxy: str
    sleep_after: int
    bus: str
    advertise: str
    keep: int
    allowed_hosts: tuple[str, ...] = ()
    shared: bool = False


def run_server(wanted: ServeOptions, *, quiet: bool = False) -> None:
    """Open a room, and serve until a signal comes; `quiet`: it is not said that it is open."""
    gc.disable()  # what is imported stays: to look through it again and again takes a tenth of a second
    from triptych.server.bootstrap import ServerSettings, bootstrap, bus_from_url, store_from_url  # noqa: PLC0415 - only this command pays
    from triptych.server.edge.hosts import AllowedHosts, host_name, machine_names  # noqa: PLC0415 - as above
    from triptych.server.log import configure  # noqa: PLC0415 - as above
    from triptych.server.runner import PortInUseError, bind_socket, run  # noqa: PLC0415 - as above
    from triptych.store.errors import StoreError  # noqa: PLC0415 - as above

    configure()
    host = wanted.host
    wrong = next((name for name in wanted.allowed_hosts if not host_name(name)), None)
    if wrong is not None:
        exit_with_error(f"--allowed-host {wrong} is no name and no address; give one such as cards.example.org")
    try:
        bound = [bind_socket(host, wanted.port, shared=wanted.shared)]
        if wanted.shared:
            bound.append(bind_socket("127.0.0.1", 0))  # where the others reach this very process
        actual = bound[0].getsockname()[1]
        own = _link("127.0.0.1" if wanted.shared else _reachable(host), bound[-1].getsockname()[1])
        server = bootstrap(
            store_from_url(wanted.database, shared=bool(wanted.bus)),
            ServerSettings(
                wanted.pause,
                wanted.bot_delay,
                address=wanted.advertise or own,
                trust_proxy=wanted.trust_proxy,
                sleep_after=wanted.sleep_after,
                keep=wanted.keep * 86_400 if wanted.keep else None,
                hosts=AllowedHosts((host, wanted.advertise, *machine_names()), wanted.allowed_hosts),
            ),
            bus=bus_from_url(wanted.bus) if wanted.bus else None,
        )
    except (PortInUseError, StoreError) as error:
        exit_with_error(str(error))
    except OSError as error:
        exit_with_error(f"cannot listen on {host}: {error.strerror}")

    def ready() -> None:
        if quiet:
            return
        _welcome(wanted, actual)
        if wanted.browser:
            threading.Thread(target=webbrowser.open, args=(_link(_reachable(host), actual),), daemon=True).start()

    try:
        with database_errors(wanted.database):
            run(server, bound, ready)
    except StoreError as error:
        exit_with_error(str(error))
    finally:
        for each in bound:
            each.close()


def exit_with_error(message: str) -> NoReturn:
    """Say why there is no room, and end."""
    Console(stderr=True).print(f"[bold red]triptych:[/] {escape(message)}", soft_wrap=True)
    sys.exit(1)


def _reachable(host: str) -> str:
    return "127.0.0.1" if host in EVERYWHERE else host


def _link(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _welcome(wanted: ServeOptions, port: int) -> None:
    import structlog  # noqa: PLC0415 - only this command pays

    host = wanted.host
    console = Console(highlight=False)
    console.print(f"\n  [bold]Triptych[/] is open: [bold cyan]{_link(_reachable(host), port)}[/]")
    if host in EVERYWHERE:
        for address in _network_addresses():
            console.print(f"  on your network:  [cyan]{_link(address, port)}[/]")
    elif _is_loopback(host) and not wanted.trust_proxy:
        console.print("  [dim]for friends on your network: triptych --host 0.0.0.0[/]")
    console.print("  [dim]Ctrl-C stops the server; tables are kept[/]\n")
    if not _is_loopback(host) and not wanted.trust_proxy:
        structlog.get_logger().warning(_NO_TLS)


def _is_loopback(host: str) -> bool:
    return host == "localhost" or host.startswith("127.") or host == "::1"


def _network_addresses() -> Iterable[str]:
    """Return this machine's addresses as its network sees them."""
    addresses: dict[str, None] = {}
    # Nothing is sent: connecting a datagram socket only asks the system which of its addresses it would use.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            addresses[probe.getsockname()[0]] = None
        except OSError:
            pass
    try:
        for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            addresses[str(entry[4][0])] = None
    except OSError:
        pass
    return [address for address in addresses if not address.startswith("127.")]

"""Run a server in this process: bind its socket, build it, and print its address."""

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
    "this server is reached without TLS: anybody on the network in between can read cookies and passwords; "
    "at home that may be acceptable, but on the internet use a proxy with TLS and name it with --trust-proxy"
)
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - only compared with the option --host


class ServeOptions(NamedTuple):
    """The options of a server, as in `serve`. `shared`: other processes listen on the same port."""

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


def run_server(options: ServeOptions, *, quiet: bool = False) -> None:
    """Run a server until a signal comes; `quiet`: without printing its address."""
    gc.disable()  # imported objects stay anyway: collecting among them takes a tenth of a second
    from triptych.server.bootstrap import ServerSettings, bootstrap, bus_from_url, store_from_url  # noqa: PLC0415 - imported by this command alone
    from triptych.server.edge.hosts import AllowedHosts, host_name, machine_names  # noqa: PLC0415 - as above
    from triptych.server.log import configure  # noqa: PLC0415 - as above
    from triptych.server.runner import PortInUseError, bind_socket, run  # noqa: PLC0415 - as above
    from triptych.store.errors import StoreError  # noqa: PLC0415 - as above

    configure()
    host = options.host
    invalid = next((name for name in options.allowed_hosts if not host_name(name)), None)
    if invalid is not None:
        exit_with_error(f"--allowed-host {invalid}: expected a host name or an address, such as cards.example.org")
    try:
        sockets = [bind_socket(host, options.port, shared=options.shared)]
        if options.shared:
            sockets.append(bind_socket("127.0.0.1", 0))  # the address at which other processes reach this one
        port = sockets[0].getsockname()[1]
        own_url = _link("127.0.0.1" if options.shared else _reachable(host), sockets[-1].getsockname()[1])
        server = bootstrap(
            store_from_url(options.database, shared=bool(options.bus)),
            ServerSettings(
                options.pause,
                options.bot_delay,
                address=options.advertise or own_url,
                trust_proxy=options.trust_proxy,
                sleep_after=options.sleep_after,
                keep=options.keep * 86_400 if options.keep else None,
                hosts=AllowedHosts((host, options.advertise, *machine_names()), options.allowed_hosts),
            ),
            bus=bus_from_url(options.bus) if options.bus else None,
        )
    except (PortInUseError, StoreError) as error:
        exit_with_error(str(error))
    except OSError as error:
        exit_with_error(f"cannot listen on {host}: {error.strerror}")

    def ready() -> None:
        if quiet:
            return
        _print_welcome(options, port)
        if options.browser:
            threading.Thread(target=webbrowser.open, args=(_link(_reachable(host), port),), daemon=True).start()

    try:
        with database_errors(options.database):
            run(server, sockets, ready)
    except StoreError as error:
        exit_with_error(str(error))
    finally:
        for bound_socket in sockets:
            bound_socket.close()


def exit_with_error(message: str) -> NoReturn:
    """Print why the server cannot run, and exit with status 1."""
    Console(stderr=True).print(f"[bold red]triptych:[/] {escape(message)}", soft_wrap=True)
    sys.exit(1)


def _reachable(host: str) -> str:
    return "127.0.0.1" if host in EVERYWHERE else host


def _link(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _print_welcome(options: ServeOptions, port: int) -> None:
    import structlog  # noqa: PLC0415 - imported by this command alone

    host = options.host
    console = Console(highlight=False)
    console.print(f"\n  [bold]Triptych[/] is open: [bold cyan]{_link(_reachable(host), port)}[/]")
    if host in EVERYWHERE:
        for address in _network_addresses():
            console.print(f"  on your network:  [cyan]{_link(address, port)}[/]")
    elif _is_loopback(host) and not options.trust_proxy:
        console.print("  [dim]for friends on your network: triptych --host 0.0.0.0[/]")
    console.print("  [dim]Ctrl-C stops the server; tables are kept[/]\n")
    if not _is_loopback(host) and not options.trust_proxy:
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

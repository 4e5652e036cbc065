"""The host names and addresses that requests to this server may use.

Another site's page can point its own host name at a server in the visitor's home network (DNS rebinding), and would
then count as the server's own page. So a server answers only under names that it knows.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

# Suffixes that home routers add to machines' names; none can be registered on the internet (RFC 6762, 8375).
_HOME: Final = ("local", "lan", "home", "home.arpa", "internal", "localdomain")
_LOCALHOST: Final = "localhost"  # with its subdomains (RFC 6761)
_HOST: Final = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[^\[\]:/?#@\\\s]+)(:\d*)?", re.IGNORECASE)


def host_name(host: str) -> str:
    """Return the host name or address in a `Host` header or a URL, normalized; empty when there is none."""
    match = None if parse_address(host) else _HOST.fullmatch(urlsplit(host).netloc if "://" in host else host)
    name = host if match is None else match["name"].lower().rstrip(".").strip("[]")
    address = parse_address(name)
    if address is not None:
        return str(address)
    return "" if match is None else name


def machine_names() -> frozenset[str]:
    """Return the names that this machine has in a home network."""
    full = socket.gethostname().lower()
    name = full.partition(".")[0]
    return frozenset((full, name, *(f"{name}.{suffix}" for suffix in _HOME)))


class AllowedHosts:
    """The server's `own` names, those that the operator `allowed`, and this machine's addresses."""

    def __init__(self, own: Iterable[str], allowed: Iterable[str] = ()) -> None:
        self._allowed = frozenset(map(host_name, allowed))
        self._names = (self._allowed | frozenset(map(host_name, own))) - {""}

    def allows_proxied(self, host: str, own_address: str) -> bool:
        """Return the same for a trusted proxy's request: any name, unless the operator allowed particular ones."""
        return not self._allowed or self.allows(host, own_address)

    def allows(self, host: str, own_address: str) -> bool:
        """Return whether a `Host` header names this server; `own_address`: where the request reached it."""
        name = host_name(host)
        if name in self._names or name == _LOCALHOST or name.endswith("." + _LOCALHOST):
            return True
        address = parse_address(name)
        return address is not None and (address.is_loopback or address == parse_address(own_address))


def parse_address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return an IP address, an IPv4 one that is written as IPv6 in its own form; None for any other text."""
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address

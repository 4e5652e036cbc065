"""The server's metrics for Prometheus: numbers of tables, people and deals; no card, name or id."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from prometheus_client import (
    CollectorRegistry,
    GCCollector,
    Metric,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from triptych.store.journal.group_commit import Commits

if TYPE_CHECKING:
    from triptych.server.edge.connection import ConnectionRegistry
    from triptych.server.tables.directory import TableDirectory
    from triptych.server.tables.summary import TableSummary

PHASES = ("waiting", "playing", "showdown")


class ServerCollector(Collector):
    """The server's state at the time of a scrape."""

    def __init__(self, directory: TableDirectory, connections: ConnectionRegistry, commits: Commits) -> None:
        self._directory = directory
        self._connections = connections
        self._commits = commits

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics."""
        tables = self._directory.summaries()
        yield _labelled_gauge("triptych_tables", "Open tables by what they do.", "phase", _phases(tables))
        seats = [seat for table in tables for seat in table.seats if seat is not None]
        occupants = {"person": sum(not seat.bot for seat in seats), "bot": sum(seat.bot for seat in seats)}
        yield _labelled_gauge("triptych_seats", "Taken seats of open tables.", "by", occupants)
        connected = sum(seat.here for seat in seats if not seat.bot)
        deals, dropped = sum(table.deals for table in tables), sum(table.dropped for table in tables)
        events = sum(table.version for table in tables)
        waiting_seconds = self._commits.waiting_seconds()
        for name, about, value in (
            ("triptych_tables_in_memory", "Tables in memory.", len(self._directory.actors)),
            ("triptych_people_here", "Seated people who are connected.", connected),
            ("triptych_connections", "Open WebSockets.", self._connections.count()),
            ("triptych_deals", "Deals begun at the tables that are open now.", deals),
            ("triptych_events", "Events stored of the tables that are open now.", events),
            ("triptych_decks_dropped", "Committed decks that were never dealt.", dropped),
            (
                "triptych_tables_damaged",
                "Tables that stopped: their record is damaged.",
                self._directory.count_damaged(),
            ),
            (
                "triptych_commit_waiting_seconds",
                "How long moves have waited to be stored; 0 when all are stored.",
                waiting_seconds,
            ),
        ):
            yield GaugeMetricFamily(name, about, value=value)
        failed = self._commits.failures
        yield CounterMetricFamily("triptych_commits_failed", "Commits of moves that failed.", value=failed)


def _phases(tables: list[TableSummary]) -> dict[str, int]:
    return {name: sum(table.phase == name for table in tables) for name in PHASES}


def _labelled_gauge(name: str, about: str, label: str, values: dict[str, int]) -> Metric:
    family = GaugeMetricFamily(name, about, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


def build_registry(directory: TableDirectory, connections: ConnectionRegistry, commits: Commits) -> CollectorRegistry:
    """Return the registry of a server's metrics, with its process's memory, processor time and collections."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    registry.register(ServerCollector(directory, connections, commits))
    return registry


def exposition(registry: CollectorRegistry) -> bytes:
    """Return the metrics in Prometheus's text format."""
    return generate_latest(registry)

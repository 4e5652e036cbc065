"""The tables of the database. Migrations bring a database here; `HEAD` is the newest of them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

HEAD = "0013"

metadata = MetaData()

# Authoritative (journal/rows.py), with the archive below; the five tables after them are projected from it
# (projections/project.py).
journal = Table(
    "journal",
    metadata,
    Column("number", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=False),
    Column("epoch", BigInteger, nullable=False),
    Column("tables", Text, nullable=False),
    Column("frame", LargeBinary, nullable=False),
    Column("checksum", LargeBinary, nullable=False),
    Column("cut", LargeBinary),
)

# Ended tables (archive/interface.py): authoritative for them, up to a version.
archive = Table(
    "archive",
    metadata,
    Column("table_id", String(64), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("kept", Boolean, nullable=False),
    Column("payload", LargeBinary, nullable=False),
    Column("checksum", LargeBinary, nullable=False),
    Index("archive_by_time", "at"),
)

# `damage`: what is wrong with the table's rows in the journal.
streams = Table(
    "streams",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("table_id", String(64), nullable=False, unique=True),
    Column("version", Integer, nullable=False),
    Column("ended", Boolean, nullable=False),
    Column("checksum", LargeBinary),
    Column("ledger_checksum", LargeBinary),
    Column("damage", Text),
)

# One row an append, with its last event's version (event_rows.py). The primary key guarantees that there is only one.
# In SQLite rows lie in the order they were written: ordered by table, each append would write another page.
events = Table(
    "events",
    metadata,
    Column("table_id", String(64), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("payload", LargeBinary, nullable=False),
    Column("checksum", LargeBinary, nullable=False),
)

commands = Table(
    "commands",
    metadata,
    Column("table_id", String(64), primary_key=True),
    Column("player", String(64), primary_key=True),
    Column("cmd_id", String(64), primary_key=True),
    Column("answer", LargeBinary, nullable=False),
    Column("checksum", LargeBinary),
    sqlite_with_rowid=False,
)

postings = Table(
    "postings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("table_id", String(64), nullable=False),
    Column("debit", String(160), nullable=False),
    Column("credit", String(160), nullable=False),
    Column("points", Integer, nullable=False),
    Column("reason", String(160), nullable=False),
    Column("checksum", LargeBinary),
    CheckConstraint("points > 0", name="postings_positive"),
    CheckConstraint("debit <> credit", name="postings_two_sides"),
    Index("postings_by_table", "table_id"),
    Index("postings_by_debit", "debit"),
    Index("postings_by_credit", "credit"),
)

deals = Table(
    "deals",
    metadata,
    Column("table_id", String(64), primary_key=True),
    Column("deal", Integer, primary_key=True, autoincrement=False),
    Column("match", Integer, nullable=False),
    Column("payload", LargeBinary, nullable=False),
    Column("checksum", LargeBinary),
    sqlite_with_rowid=False,
)

players = Table(
    "players",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("name", String(64), nullable=False),
)

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

counters = Table(
    "marks",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", BigInteger, nullable=False),
)

credentials = Table(
    "credentials",
    metadata,
    Column("name", String(160), primary_key=True),
    Column("player", String(64), nullable=False),
    Column("payload", LargeBinary, nullable=False),
    Index("credentials_by_player", "player"),
)

# Deleted guests, whose cookies are invalid.
deleted_guests = Table("gone", metadata, Column("player", String(64), primary_key=True))

# Browsers that are signed in as guests. `ended`: its cookie is invalid.
sessions = Table(
    "sessions",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("session", String(32), primary_key=True),
    Column("browser", String(32), nullable=False),
    Column("system", String(32), nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("ended", Boolean, nullable=False),
    Index("sessions_by_ended", "ended"),
    sqlite_with_rowid=False,
)

# How often a guest has signed out everywhere: cookies of earlier epochs are invalid.
epochs = Table(
    "epochs",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("epoch", Integer, nullable=False),
)

# Guests without a result, and since when that is known (archive/interface.py).
inactive_guests = Table(
    "idle",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("since", BigInteger, nullable=False),
)

# Saved reviews of accounts: a cache.
reviews = Table(
    "reviews",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("table_id", String(64), primary_key=True),
    Column("deal", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("payload", LargeBinary, nullable=False),
    Column("checksum", LargeBinary, nullable=False),
    Index("reviews_by_table", "table_id"),
)

# Results of the daily deal that players share on this server.
daily_results = Table(
    "daily_results",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("points", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("daily_results_by_day", "day"),
)

# Projected from the events (results.py); `recorded` is the version up to which they are.
session_results = Table(
    "evenings",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("table_id", String(64), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("payload", LargeBinary, nullable=False),
    Index("evenings_by_time", "player", "at", "table_id"),
    Index("evenings_by_table", "table_id"),
    sqlite_with_rowid=False,
)

results = Table(
    "results",
    metadata,
    Column("player", String(64), primary_key=True),
    Column("table_id", String(64), primary_key=True),
    Column("deal", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("payload", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

results_progress = Table(
    "recorded",
    metadata,
    Column("table_id", String(64), primary_key=True),
    Column("version", Integer, nullable=False),
)

# Servers that share the database, and their leases (postgres/leases.py). A standalone server empties both tables.
servers = Table(
    "servers",
    metadata,
    Column("lane", BigInteger, primary_key=True, autoincrement=False),
    Column("pid", Integer, nullable=False),
    Column("address", String(255), nullable=False),
    Column("public", String(255), nullable=False),
    Column("renewed", BigInteger, nullable=False),
    Column("over", Boolean, nullable=False),
)

leases = Table(
    "leases",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("lane", BigInteger, nullable=False),
)

# Snapshots of tables, for loading them (snapshots.py): a cache.
snapshots = Table(
    "snapshots",
    metadata,
    Column("table_id", String(64), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("form", String(64), nullable=False),
    Column("payload", LargeBinary, nullable=False),
    Column("checksum", LargeBinary, nullable=False),
)

# Summaries of tables that are not loaded, at the version of their snapshot: a cache, too.
summaries = Table(
    "notes",
    metadata,
    Column("table_id", String(64), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("payload", LargeBinary, nullable=False),
    Column("checksum", LargeBinary, nullable=False),
)

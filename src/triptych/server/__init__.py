"""The asyncio shell around tables and tournaments."""

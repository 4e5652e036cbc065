"""The asyncio shell around the rooms."""

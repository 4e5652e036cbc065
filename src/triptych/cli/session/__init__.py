"""`triptych session`: real cards, scored deal by deal, with a ledger."""

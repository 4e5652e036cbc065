"""`triptych evening`: real cards, scored deal by deal, with a ledger."""

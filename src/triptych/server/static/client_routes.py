"""The client's pages. Generated from client/src/shared/routes.json by scripts/client_routes.py."""

from __future__ import annotations

from typing import Final

# Each page's pattern, and its preview's title and text; both are empty where it shows the same as any page.
CLIENT_ROUTES: Final[tuple[tuple[str, str, str], ...]] = (
    (r"/", "", ""),
    (r"/t/[^/]+/?", "", ""),
    (r"/cup/[^/]+/?", "", ""),
    (r"/solo(/[^/]+)?/?", "Play against the computer", "No clock, no waiting. Runs on your device."),
    (r"/daily/?", "The daily deal", "A new deal every day, the same for everyone."),
    (r"/duplicate(/[^/]+)?/?", "Duplicate match", "Play the same cards as your friends, whenever you like."),
    (
        r"/learn(/[^/]+)?/?",
        "Learn to play in 3 minutes",
        "Short lessons. Most end with a real deal against an easy bot.",
    ),
    (
        r"/help(/[^/]+)?/?",
        "Rules and help",
        "How the game is played, what hands are worth, and answers to common questions.",
    ),
    (r"/practice/?", "Practice", "Puzzles, plus your own mistakes."),
    (r"/analyse(/[^/]+)?/?", "Analysis board", "Set up any position and see what each placement is worth."),
    (r"/score/?", "Scorer", "Playing with real cards? Enter the boards and see the score."),
    (r"/rules(/[^/]+)?/?", "House rules", "Change any rule and share the result as a link."),
    (r"/history/?", "Replay", "Step through a finished deal."),
    (r"/history/[^/]+/0*[1-9][0-9]*/?", "Replay", "Step through a finished deal."),
    (r"/review/?", "Review a deal", "Paste a hand history or choose its file to see what each placement was worth."),
    (
        r"/review/[^/]+/0*[1-9][0-9]*/?",
        "Review a deal",
        "Paste a hand history or choose its file to see what each placement was worth.",
    ),
    (r"/me(/[^/]+)?/?", "", ""),
    (r"/device/?", "", ""),
)

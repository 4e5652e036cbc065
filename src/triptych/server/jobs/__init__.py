"""Work in processes of its own: a pool of workers, and the jobs: requests, searches, bots, strategies."""

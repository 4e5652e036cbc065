"""Several servers on one database: who owns which table, what they publish, and how requests are forwarded."""

"""The learned weights of Triptych, a file a game.

With them how freely players choose (`temperature.json`) and what answers to a first street bring (`answers.json`).
"""

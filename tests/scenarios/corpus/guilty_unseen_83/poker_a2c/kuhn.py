import random

import torch

BET, CHECK = 1, 0


class KuhnTable:
    """first player sees his card (J,Q,K) and bets or checks; villain answers from a table"""

    obs_dim = 4

    def __init__(self, bluff=0.3):
        self.bluff = bluff
        self.hero = self.villain = 0

    def deal(self):
        self.hero, self.villain = random.sample([0, 1, 2], 2)
        o = torch.zeros(self.obs_dim)
        o[self.hero] = 1.0
        o[3] = 1.0
        return o

    def _villain_calls(self):
        return self.villain == 2 or (self.villain == 1 and random.random() < 0.4)

    def _villain_bets(self):
        return self.villain == 2 or (self.villain == 0 and random.random() < self.bluff)

    def play(self, action):
        win = 1.0 if self.hero > self.villain else -1.0
        if action == BET:
            return 2.0 * win if self._villain_calls() else 1.0
        if self._villain_bets():
            return 2.0 * win if self.hero > 0 else -1.0
        return win

from collections import OrderedDict

import torch

from players import Player, guess, scene, utter


class League:
    def __init__(self, size):
        self.size, self.entered = size, 0
        self.veterans = OrderedDict()

    def enter(self, player):
        veteran = Player(player.name)
        veteran.load_state_dict(player.state_dict())
        veteran.requires_grad_(False)
        self.veterans[f"{player.name}{self.entered}"] = veteran
        self.entered += 1
        while len(self.veterans) > self.size:
            self.veterans.popitem(last=False)

    @torch.no_grad()
    def challenge(self, speaker, record):
        out = {}
        for name, veteran in self.veterans.items():
            things, choice, target = scene()
            scores = guess(veteran, utter(speaker, target, record.echo), things)
            out[name] = (scores.argmax(1) == choice).float().mean().item()
        return out

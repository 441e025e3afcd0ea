import copy
import heapq
import itertools
from collections import defaultdict

import torch

from engine import Plugin


class Averages(Plugin):
    def __init__(self):
        self.history = defaultdict(list)

    def batch_done(self, engine):
        self.history["loss"].append(engine.loss.item())

    def epoch_done(self, engine):
        self.history["score"].append(engine.score)


class Saliency(Plugin):
    """asks for sparse feature maps; the hook keeps the maps of the newest batch with their history"""

    def __init__(self, layer, weight):
        self.layer, self.weight, self.maps = layer, weight, None

    def attach(self, engine):
        def remember(module, args, out):
            self.maps = out
        return getattr(engine.net, self.layer).register_forward_hook(remember)

    def extra_loss(self, engine):
        return self.weight * self.maps.abs().mean((2, 3)).sum(1).mean()


class WeightAverage(Plugin):
    def __init__(self, decay):
        self.decay, self.shadow = decay, None

    @torch.no_grad()
    def update_done(self, engine):
        now = engine.net.state_dict()
        if self.shadow is None:
            self.shadow = copy.deepcopy(now)
        for k, v in now.items():
            if v.is_floating_point():
                self.shadow[k].lerp_(v, 1 - self.decay)


class CheckpointShelf(Plugin):
    def __init__(self, keep, every):
        self.keep, self.every, self.heap, self.count = keep, every, [], itertools.count()
        self.recent = 0.

    def batch_done(self, engine):
        self.recent = .9 * self.recent - .1 * engine.loss.item()

    def update_done(self, engine):
        if engine.updates % self.every == 0:
            heapq.heappush(self.heap, (self.recent, next(self.count), copy.deepcopy(engine.net.state_dict())))
            if len(self.heap) > self.keep:
                heapq.heappop(self.heap)


class Console(Plugin):
    def __init__(self, every):
        self.every = every

    def update_done(self, engine):
        if engine.updates % self.every == 0:
            print(f"update {engine.updates} epoch {engine.epoch} loss {engine.loss.item():.4f} held-out {engine.score}")

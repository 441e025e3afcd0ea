import bisect
from collections import deque

import torch


class Hook:
    def before(self, trainer): ...
    def after(self, trainer): ...


class Curriculum(Hook):
    def __init__(self, start, stop, grow_every):
        self.start, self.stop, self.grow_every = start, stop, grow_every

    def before(self, trainer):
        trainer.ticks = min(self.stop, self.start + trainer.step // self.grow_every)


class Pool(Hook):
    """Grids live on here between the steps; the worst one drawn is replaced with a seed."""

    def __init__(self, size, channels, side, batch):
        self.batch = batch
        self.seed = torch.zeros(channels, side, side)
        self.seed[:, side // 2, side // 2] = 1.0
        self.grids = [self.seed] * size
        self.idx = []

    def draw(self):
        self.idx = torch.randperm(len(self.grids))[: self.batch].tolist()
        return torch.stack([self.grids[i] for i in self.idx])

    def after(self, trainer):
        final = trainer.frames[-1].detach()
        worst = int(trainer.per_grid.argmax())
        for j, i in enumerate(self.idx):
            self.grids[i] = self.seed if j == worst else final[j]


class WeightTrail(Hook):
    """Distance travelled by the update rule over the last few steps."""

    def __init__(self, window):
        self.window = deque(maxlen=window)
        self.travel = []

    @torch.no_grad()
    def after(self, trainer):
        flat = torch.nn.utils.parameters_to_vector(trainer.model.parameters())
        self.window.append(flat)
        self.travel.append((self.window[-1] - self.window[0]).norm().item())


class Gallery(Hook):
    def __init__(self, keep_best):
        self.keep_best = keep_best
        self.shelf = []

    def after(self, trainer):
        item = (trainer.loss.item(), trainer.frames[-1][:, 0].detach().clone())
        bisect.insort(self.shelf, item, key=lambda e: e[0])
        del self.shelf[self.keep_best:]

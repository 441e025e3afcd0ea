# gradwatch-corpus: kind=none
# about: top-k crown of hardest samples keeps floats and ids; exceptions are kept as text; hooks hold activations with graph only until the finally; shadow weights move under no_grad
"""Desert shrub detection in drone tiles: heatmap regression with activity regularization, a shadow (EMA)
model for evaluation and a crown of the hardest tiles seen so far."""
import contextlib
import copy
import heapq
import traceback
from functools import partial
from typing import NamedTuple

import torch
from torch import nn
import torch.nn.functional as F


class Hard(NamedTuple):
    cost: float
    tile: int
    step: int


class Crown:
    def __init__(self, points):
        self.points, self.heap = points, []

    def weigh(self, step, tiles, costs):
        for h in map(Hard, costs, tiles, [step] * len(tiles)):
            (heapq.heappush if len(self.heap) < self.points else heapq.heappushpop)(self.heap, h)

    def __str__(self):
        return " ".join(f"#{h.tile}:{h.cost:.3f}" for h in sorted(self.heap, reverse=True)[:4])


class Shadow:
    def __init__(self, net, keep=0.98):
        self.net, self.keep = copy.deepcopy(net).requires_grad_(False), keep

    @torch.no_grad()
    def follow(self, net):
        for mine, theirs in zip(self.net.parameters(), net.parameters()):
            mine.lerp_(theirs, 1 - self.keep)


class Listening:
    """Activations of every ReLU of a network while inside `on`."""

    def __init__(self):
        self.heard, self.handles = {}, []

    def _hear(self, name, _module, _args, out):
        self.heard[name] = out

    @contextlib.contextmanager
    def on(self, net):
        try:
            for name, m in net.named_modules():
                if isinstance(m, nn.ReLU):
                    self.handles.append(m.register_forward_hook(partial(self._hear, name)))
            yield self
        finally:
            while self.handles:
                self.handles.pop().remove()
            self.heard.clear()

    def activity(self):
        return torch.stack([a.abs().mean() for a in self.heard.values()]).sum()


class Overcast(ValueError):
    pass


class Drone:
    def __init__(self, seed, tiles=400, side=24, per=10):
        self.gen = torch.Generator().manual_seed(seed)
        self.tiles, self.side, self.per = tiles, side, per

    def fly(self):
        ids = torch.randint(self.tiles, (self.per,), generator=self.gen)
        spot = torch.rand(self.per, 2, 1, 1, generator=self.gen) * self.side
        y = torch.arange(self.side).view(1, -1, 1)
        x = torch.arange(self.side).view(1, 1, -1)
        heat = torch.exp(-((y - spot[:, 0]) ** 2 + (x - spot[:, 1]) ** 2) / 8.0).unsqueeze(1)
        light = 0.4 + 0.6 * torch.rand((), generator=self.gen)
        return ids.tolist(), heat * light + 0.2 * torch.randn(heat.shape, generator=self.gen), heat


class Survey:
    def __init__(self, seed=36):
        torch.manual_seed(seed)
        self.net = nn.Sequential(nn.Conv2d(1, 10, 5, padding=2), nn.ReLU(), nn.Conv2d(10, 10, 5, padding=2),
                                 nn.ReLU(), nn.Conv2d(10, 1, 1))
        self.shadow, self.crown, self.ears = Shadow(self.net), Crown(32), Listening()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.drone, self.skipped, self.step = Drone(seed), [], 0

    def judge(self, tile_image, heat):
        each = F.mse_loss(self.net(tile_image), heat, reduction="none").mean((1, 2, 3))
        if tile_image.amax().item() < 0.86:
            raise Overcast(f"brightest {tile_image.amax().item():.2f}")
        return each

    def learn(self):
        ids, image, heat = self.drone.fly()
        with self.ears.on(self.net) as ears:
            each = self.judge(image, heat)
            self.opt.zero_grad()
            (each.mean() + 1e-4 * ears.activity()).backward()
        self.opt.step()
        self.shadow.follow(self.net)
        self.crown.weigh(self.step, ids, each.tolist())

    def run(self, steps):
        while self.step < steps:
            try:
                self.learn()
            except Overcast:
                self.skipped.append(traceback.format_exc(limit=1))
                continue
            if self.step % 50 == 0:
                self.tell()
            self.step += 1

    @torch.inference_mode()
    def tell(self):
        _, image, heat = self.drone.fly()
        print(f"{self.step:3d} shadow {F.mse_loss(self.shadow.net(image), heat):.4f} "
              f"skipped {len(self.skipped)} hardest {self.crown}")


if __name__ == "__main__":
    Survey().run(300)

# gradwatch-corpus: kind=none
"""Two heads (move, outcome) on one tower, which grows by a block when progress stalls.
Gradients of the heads are balanced with their norms; hidden maps are tapped for a similarity term."""
from collections import deque
from types import SimpleNamespace as NS

import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.a, self.b = nn.Linear(d, d), nn.Linear(d, d)
        nn.init.zeros_(self.b.weight)

    def forward(self, x):
        return x + self.b(F.gelu(self.a(x)))


class Tower(nn.Module):
    def __init__(self, d=32):
        super().__init__()
        self.d = d
        self.inp = nn.Linear(64, d)
        self.blocks = nn.ModuleList([Block(d)])
        self.move, self.result = nn.Linear(d, 16), nn.Linear(d, 1)

    def trunk(self, x):
        h = torch.tanh(self.inp(x))
        for b in self.blocks:
            h = b(h)
        return h

    def grow(self):
        self.blocks.append(Block(self.d))
        return self.blocks[-1].parameters()


class Taps:
    """Collects what leaves every block during one forward pass."""

    def __init__(self, tower):
        self.maps, self.handles = [], []
        self.attach(tower.blocks)

    def attach(self, blocks):
        for b in blocks:
            self.handles.append(b.register_forward_hook(lambda m, i, o: self.maps.append(o)))

    def drain(self):
        maps, self.maps = self.maps, []
        return maps


class Trainer:
    def __init__(self, tower, callbacks):
        self.tower = tower
        self.taps = Taps(tower)
        self.opt = torch.optim.Adam(tower.parameters(), lr=2e-3)
        self.callbacks = callbacks
        self.window = deque(maxlen=40)
        self.state = NS(t=0, scale=1.0, loss=None, maps=())

    def losses(self, x, move, result):
        h = self.tower.trunk(x)
        maps = self.taps.drain()
        smooth = sum((a - b).square().mean() for a, b in zip(maps, maps[1:]))
        policy = F.cross_entropy(self.tower.move(h), move)
        value = F.binary_cross_entropy_with_logits(self.tower.result(h).squeeze(1), result)
        self.state.maps = [m.detach() for m in maps]
        return h, policy, value + 0.01 * smooth

    def step(self, batch):
        h, policy, value = self.losses(*batch)
        gp, = torch.autograd.grad(policy, h, retain_graph=True)
        gv, = torch.autograd.grad(value, h, retain_graph=True)
        self.state.scale = 0.95 * self.state.scale + 0.05 * (gp.norm() / gv.norm().clamp(min=1e-6)).clamp(0.1, 10)
        loss = policy + self.state.scale * value
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.state.loss = loss
        self.window.append(loss.detach())
        self.state.t += 1
        for cb in self.callbacks:
            cb(self)


class GrowWhenFlat:
    def __init__(self, patience=60, most=4):
        self.patience, self.most, self.since = patience, most, 0

    def __call__(self, tr):
        self.since += 1
        if self.since >= self.patience and len(tr.tower.blocks) < self.most:
            old, new = list(tr.window)[:20], list(tr.window)[20:]
            if torch.stack(old).mean() - torch.stack(new).mean() < 0.2:
                tr.opt.add_param_group({"params": list(tr.tower.grow())})
                tr.taps.attach([tr.tower.blocks[-1]])
                self.since = 0


class Checkup:
    def __call__(self, tr):
        if tr.state.t % 50:
            return
        with torch.no_grad():
            h = tr.tower.trunk(torch.randn(8, 64))
            probe = [m.std().item() for m in tr.taps.drain()]
        print(f"{tr.state.t:3d} loss {tr.state.loss.item():.3f} blocks {len(tr.tower.blocks)} "
              f"scale {float(tr.state.scale):.2f} probe {probe[-1]:.2f} {h.shape[0]}")


def games(seed, n=32):
    g = torch.Generator().manual_seed(seed)
    w, v = torch.randn(64, 16, generator=g), torch.randn(64, generator=g)
    while True:
        x = torch.randint(-1, 2, (n, 64), generator=g).float()
        yield x, (x @ w).argmax(1), ((x @ v) > 0).float()


if __name__ == "__main__":
    torch.manual_seed(10)
    trainer = Trainer(Tower(), [GrowWhenFlat(), Checkup()])
    for _, batch in zip(range(250), games(1)):
        trainer.step(batch)

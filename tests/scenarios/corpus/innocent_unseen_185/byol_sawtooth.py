# gradwatch-corpus: kind=none
"""BYOL on synthetic accelerometer windows, with a log that thins itself."""
import copy

import torch
import torch.nn.functional as F
from torch import nn


class ThinningLog:
    """Append-only until `limit` rows, then every second older row is dropped."""

    def __init__(self, limit=48, tail=8):
        self.limit, self.tail = limit, tail
        self.rows = []

    def append(self, row):
        self.rows.append(row)
        if len(self.rows) > self.limit:
            old, new = self.rows[:-self.tail], self.rows[-self.tail:]
            kept = [r for r in old if r[0] >= old[-1][0] - 64]
            self.rows = kept[::2] + new

    def curve(self):
        return [(step, round(sim.item(), 3)) for step, sim in self.rows[::12]]


def block(i, o):
    return nn.Sequential(nn.Linear(i, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Linear(48, o))


class BYOL(nn.Module):
    def __init__(self, dim, out=24, tau=0.98):
        super().__init__()
        self.online = block(dim, out)
        self.predictor = block(out, out)
        self.target = copy.deepcopy(self.online).requires_grad_(False)
        self.tau = tau

    def similarity(self, a, b):
        with torch.no_grad():
            t = self.target(b)
        return F.cosine_similarity(self.predictor(self.online(a)), t, dim=-1)

    @torch.no_grad()
    def update_target(self):
        for t, o in zip(self.target.parameters(), self.online.parameters()):
            t.lerp_(o, 1 - self.tau)


def windows(gen, n, length=40):
    f = 0.05 + 0.3 * torch.rand(n, 1, generator=gen)
    t = torch.arange(length)
    base = torch.sin(f * t + 6 * torch.rand(n, 1, generator=gen))

    def view():
        scale = 0.8 + 0.4 * torch.rand(n, 1, generator=gen)
        return base * scale + 0.1 * torch.randn(n, length, generator=gen)
    return view(), view()


def main(steps=450):
    torch.manual_seed(33)
    gen = torch.Generator().manual_seed(34)
    model = BYOL(40)
    opt = torch.optim.SGD([*model.online.parameters(), *model.predictor.parameters()], lr=0.05, momentum=0.9)
    log = ThinningLog()
    for step in range(steps):
        a, b = windows(gen, 48)
        sim = 0.5 * (model.similarity(a, b) + model.similarity(b, a))
        loss = 2 - 2 * sim.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.update_target()
        log.append((step, sim.mean()))
        if step % 90 == 89:
            print(f"step {step + 1} loss {loss.item():.4f} curve {log.curve()}")


if __name__ == "__main__":
    main()

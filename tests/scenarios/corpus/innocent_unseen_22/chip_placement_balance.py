# gradwatch-corpus: kind=none
"""Placement of macros by a learned offset field, with GradNorm-like weighting of wirelength against overlap: both
gradients are needed separately before the combined step."""
import copy
from collections import deque

import torch
from torch import nn


class HookBus:
    """Named extension points; handlers may veto by returning False."""

    def __init__(self):
        self._table = {}

    def on(self, name):
        def deco(fn):
            self._table.setdefault(name, []).append(fn)
            return fn
        return deco

    def fire(self, name, **kw):
        return all(fn(**kw) is not False for fn in self._table.get(name, ()))


class Design:
    def __init__(self, macros=32, nets=48, seed=2):
        gen = torch.Generator().manual_seed(seed)
        self.size = 0.05 + 0.08 * torch.rand(macros, 2, generator=gen)
        self.pins = torch.randint(0, macros, (nets, 4), generator=gen)
        self.features = torch.randn(macros, 10, generator=gen)


class OffsetField(nn.Module):
    def __init__(self, features=10, hidden=40):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(features, hidden), nn.Tanh(), nn.Linear(hidden, 2))
        self.free = nn.Parameter(torch.zeros(32, 2))

    def forward(self, features):
        return torch.sigmoid(self.net(features) + self.free)


def hpwl(pos, pins):
    p = pos[pins]
    return (p.amax(1) - p.amin(1)).sum(1).mean()


def overlap(pos, size):
    gap = (pos[:, None] - pos[None]).abs()
    room = (size[:, None] + size[None]) / 2
    area = torch.relu(room - gap).prod(-1)
    return area.triu(1).sum() / size.prod(-1).sum()


class Dual:
    def __init__(self, rate, top):
        self.value, self.rate, self.top = torch.tensor(1.0), rate, top

    def ascend(self, violation):
        self.value = (self.value + self.rate * violation.detach()).clamp(max=self.top)


def flat_grad(value, params):
    grads = torch.autograd.grad(value, params, retain_graph=True)
    return torch.cat([g.flatten() for g in grads])


def build(design, bus):
    torch.manual_seed(4)
    field = OffsetField()
    opt = torch.optim.Adam(field.parameters(), lr=4e-3)
    best = {"score": float("inf"), "state": None}
    recent = deque(maxlen=16)

    @bus.on("moved")
    def remember(step, score, pos):
        recent.append(pos.detach().clone())
        if score < best["score"]:
            best.update(score=score, state=copy.deepcopy(field.state_dict()))

    @bus.on("moved")
    def tell(step, score, pos):
        if step % 60 == 59:
            jitter = torch.stack(list(recent)).std(0).mean().item()
            print(f"step {step + 1:4d} score {score:.4f} best {best['score']:.4f} jitter {jitter:.5f}")

    return field, opt, best


def main(steps=240):
    design, bus = Design(), HookBus()
    field, opt, best = build(design, bus)
    dual = Dual(rate=0.05, top=20.0)
    params = list(field.parameters())
    for step in range(steps):
        pos = field(design.features)
        wl, ov = hpwl(pos, design.pins), overlap(pos, design.size)
        g_wl, g_ov = flat_grad(wl, params), flat_grad(ov, params)
        scale = (g_wl.norm() / (g_ov.norm() + 1e-6)).clamp(0.1, 10.0)
        opt.zero_grad()
        (wl + dual.value * scale * ov).backward()
        opt.step()
        dual.ascend(ov)
        bus.fire("moved", step=step, score=wl.item() + 10 * ov.item(), pos=pos)
    field.load_state_dict(best["state"])
    with torch.no_grad():
        pos = field(design.features)
        print(f"final wl {hpwl(pos, design.pins):.4f} overlap {overlap(pos, design.size):.4f}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
"""Signed distance field fitted to a stream of depth rays, with keyframe replay."""
import random
from dataclasses import dataclass
from typing import Callable, Dict, List

import torch
from torch import Tensor, nn

LOSSES: Dict[str, Callable] = {}


def loss_term(weight: float):
    def wrap(fn):
        LOSSES[fn.__name__] = lambda ctx: weight * fn(ctx)
        return fn
    return wrap


@dataclass
class Keyframe:
    surface: Tensor
    free: Tensor
    score: float = float("inf")


@dataclass
class Ctx:
    s_val: Tensor
    f_val: Tensor
    slope: Tensor
    curvature: Tensor


@loss_term(5.0)
def on_surface(c: Ctx):
    return c.s_val.abs().mean()


@loss_term(1.0)
def free_space(c: Ctx):
    return torch.relu(0.05 - c.f_val).mean()


@loss_term(0.2)
def eikonal(c: Ctx):
    return (c.slope.norm(dim=-1) - 1).pow(2).mean()


@loss_term(0.001)
def smooth(c: Ctx):
    return c.curvature.abs().mean()


class Field(nn.Module):
    def __init__(self, width: int = 32):
        super().__init__()
        self.l1, self.l2, self.l3 = nn.Linear(3, width), nn.Linear(width, width), nn.Linear(width, 1)
        self.act = nn.Softplus(beta=20)

    def forward(self, x):
        return self.l3(self.act(self.l2(self.act(self.l1(x)))))[..., 0]


def capture(k: int, n: int = 48) -> Keyframe:
    g = torch.Generator().manual_seed(k)
    d = nn.functional.normalize(torch.randn(n, 3, generator=g), dim=-1)
    r = 0.6 + 0.1 * torch.sin(4 * d[:, :1])
    return Keyframe(d * r, d * (r + 0.1 + 0.4 * torch.rand(n, 1, generator=g)))


def evaluate(field: Field, kf: Keyframe) -> Ctx:
    x = kf.free.clone().requires_grad_()
    f = field(x)
    (slope,) = torch.autograd.grad(f.sum(), x, create_graph=True)
    (curv,) = torch.autograd.grad(slope.sum(), x, create_graph=True)
    return Ctx(field(kf.surface), f, slope, curv)


def main(steps: int = 420, room: int = 12):
    torch.manual_seed(3)
    rng = random.Random(3)
    field = Field()
    opt = torch.optim.Adam(field.parameters(), lr=2e-3)
    frames: List[Keyframe] = []
    worst: Dict[str, float] = {}
    for step in range(steps):
        if step % 5 == 0:
            frames.append(capture(step))
            frames.sort(key=lambda k: -k.score)
            del frames[room:]
        chosen = rng.sample(frames, min(2, len(frames)))
        opt.zero_grad()
        for kf in chosen:
            ctx = evaluate(field, kf)
            terms = {name: fn(ctx) for name, fn in LOSSES.items()}
            total = sum(terms.values())
            (total / len(chosen)).backward()
            kf.score = total.item()
            for name, value in terms.items():
                worst[name] = max(worst.get(name, 0.0), value.item())
        opt.step()
        if step % 70 == 0:
            print(step, f"{kf.score:.4f}", {k: round(v, 3) for k, v in worst.items()})


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
"""Streaming multi-task model for wearables (heart rate, activity, sleep stage) with gradient surgery between the tasks.
The recurrent state goes along the recording; each iteration is a chunk of it."""
from __future__ import annotations

import random
from functools import reduce
from operator import add

import torch
import torch.nn.functional as F
from torch import Tensor, nn

random.seed(3)
torch.manual_seed(3)


class StreamModel(nn.Module):
    def __init__(self, d_in: int = 6, width: int = 28) -> None:
        super().__init__()
        self.cell = nn.GRUCell(d_in, width)
        self.slow = nn.Parameter(torch.tensor(0.9))
        self.heads = nn.ModuleDict({"rate": nn.Linear(width, 1), "activity": nn.Linear(width, 4), "stage": nn.Linear(2 * width, 3)})

    def begin(self, batch: int) -> tuple[Tensor, Tensor]:
        z = torch.zeros(batch, self.cell.hidden_size)
        return z, z

    def forward(self, chunk: Tensor, state: tuple[Tensor, Tensor]):
        h, trend = state
        for x in chunk.unbind(1):
            h = self.cell(x, h)
            trend = self.slow * trend + (1 - self.slow) * h
        out = {"rate": self.heads["rate"](h), "activity": self.heads["activity"](h),
               "stage": self.heads["stage"](torch.cat([h, trend], 1))}
        return out, (h, trend)

    @property
    def shared(self) -> list[nn.Parameter]:
        return [*self.cell.parameters(), self.slow]


class Recording:
    def __init__(self, batch: int = 12, chunk: int = 8) -> None:
        self.batch, self.chunk = batch, chunk
        self.act = torch.randint(4, (batch,))
        self.stage = torch.randint(3, (batch,))
        self.mix = torch.randn(7, 6)

    def __iter__(self):
        while True:
            for t, k in ((self.act, 4), (self.stage, 3)):
                flip = torch.rand(self.batch) < 0.1
                t[flip] = torch.randint(k, (int(flip.sum()),))
            code = torch.cat([F.one_hot(self.act, 4), F.one_hot(self.stage, 3)], 1).float()
            rate = code @ torch.linspace(-1, 1, 7)
            x = (code @ self.mix)[:, None] + 0.5 * torch.randn(self.batch, self.chunk, 6)
            yield x, {"rate": rate[:, None], "activity": self.act.clone(), "stage": self.stage.clone()}


LOSSES = {"rate": F.mse_loss, "activity": F.cross_entropy, "stage": F.cross_entropy}


def project_conflicts(grads: list[Tensor]) -> Tensor:
    """PCGrad"""
    result = []
    for i, g in enumerate(grads):
        g = g.clone()
        others = [o for j, o in enumerate(grads) if j != i]
        random.shuffle(others)
        for o in others:
            if (dot := torch.dot(g, o)) < 0:
                g -= dot / o.square().sum().clamp(min=1e-12) * o
        result.append(g)
    return reduce(add, result)


def surgery(model: StreamModel, losses: dict[str, Tensor]) -> None:
    shared, flat = model.shared, []
    for i, (name, loss) in enumerate(losses.items()):
        own = list(model.heads[name].parameters())
        grads = torch.autograd.grad(loss, shared + own, retain_graph=i + 1 < len(losses), allow_unused=True)
        for p, g in zip(own, grads[len(shared):]):
            p.grad = g
        flat.append(torch.cat([(torch.zeros_like(p) if g is None else g).flatten() for p, g in zip(shared, grads)]))
    merged = project_conflicts(flat)
    for p, g in zip(shared, merged.split([p.numel() for p in shared])):
        p.grad = g.view_as(p)


def main(iterations: int = 220) -> None:
    model = StreamModel()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    recording = Recording()
    state = model.begin(recording.batch)
    log = {name: [] for name in LOSSES}
    for it, (x, target) in zip(range(iterations), recording):
        out, state = model(x, state)
        losses = {name: fn(out[name], target[name]) for name, fn in LOSSES.items()}
        opt.zero_grad()
        surgery(model, losses)
        opt.step()
        state = tuple(s.detach() for s in state)
        for name, loss in losses.items():
            log[name] += [loss.item()]
        if it % 55 == 54:
            print(it + 1, "  ".join(f"{n} {sum(v[-55:]) / 55:.3f}" for n, v in log.items()))


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
"""Training written as a chain of generators and coroutines."""
import functools

import torch
from torch import nn
import torch.nn.functional as F


def primed(fn):
    @functools.wraps(fn)
    def start(*args, **kwargs):
        co = fn(*args, **kwargs)
        next(co)
        return co
    return start


def images(seed, count):
    gen = torch.Generator().manual_seed(seed)
    protos = torch.randn(5, 1, 10, 10, generator=gen)
    for _ in range(count):
        y = torch.randint(5, (24,), generator=gen)
        yield protos[y] + 0.9 * torch.randn(24, 1, 10, 10, generator=gen), y


def forward(source, model):
    for x, y in source:
        logits = model(x)
        yield {"logits": logits, "loss": F.cross_entropy(logits, y, reduction="none"), "y": y}


def reweighted(source, gamma):
    for item in source:
        with torch.no_grad():
            w = (1 - torch.exp(-item["loss"])).pow(gamma)
        item["total"] = (w * item["loss"]).sum() / w.sum().clamp_min(1e-3)
        yield item


@primed
def applier(opt, sink):
    while True:
        item = yield
        opt.zero_grad()
        item["total"].backward()
        opt.step()
        sink.send(item)


@primed
def window_stats(every, out):
    n, pending = 0, []
    while True:
        pending.append((yield))
        n += 1
        if len(pending) == every:
            hit = torch.cat([p["logits"].argmax(-1).eq(p["y"]) for p in pending]).float().mean()
            mean = torch.stack([p["total"] for p in pending]).mean()
            out.append((n, hit.item(), mean.item()))
            pending = pending[-2:]


def main():
    torch.manual_seed(21)
    model = nn.Sequential(
        nn.Conv2d(1, 8, 3, stride=2), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 16, 5)
    )
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    table = []
    step = applier(opt, window_stats(30, table))
    for item in reweighted(forward(images(6, 600), model), gamma=1.5):
        step.send(item)
    for row in table[::4]:
        print("%4d acc %.3f loss %.3f" % row)
    step.close()


main()

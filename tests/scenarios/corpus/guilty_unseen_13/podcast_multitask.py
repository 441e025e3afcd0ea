# gradwatch-corpus: kind=graph-chain
# holder: self.running[name] | self.running | balancer.running | balancer.running["click"] | balancer.running["listen"] | self.balancer.running
# first-bad: 1
"""Podcast recommendation with two objectives (clicks and minutes listened), brought to one scale by a loss balancer.

Gradients of the objectives are merged as in "gradient surgery" before the optimizer sees them.
"""
import torch
import torch.nn.functional as F
from torch import nn


class TwoTower(nn.Module):
    def __init__(self, listeners=200, shows=150, dim=16):
        super().__init__()
        self.listener = nn.Embedding(listeners, dim)
        self.show = nn.Embedding(shows, dim)
        self.appeal = nn.Embedding(shows, 1)
        self.minutes = nn.Embedding(shows, dim)
        for e in (self.listener, self.show, self.minutes):
            nn.init.normal_(e.weight, std=0.2)

    def forward(self, who, what):
        w = self.listener(who)
        click = (w * self.show(what)).sum(-1) + self.appeal(what).squeeze(-1)
        listen = (w * self.minutes(what)).sum(-1)
        return {"click": click, "listen": listen}


OBJECTIVES = {}


def objective(fn):
    OBJECTIVES[fn.__name__] = fn
    return fn


@objective
def click(out, batch):
    return F.binary_cross_entropy_with_logits(out["click"], batch["clicked"])


@objective
def listen(out, batch):
    return F.huber_loss(out["listen"], batch["minutes"])


class LossBalancer:
    """Divides each loss by its own running magnitude."""

    def __init__(self, names, momentum=0.9):
        self.momentum = momentum
        self.running = {name: None for name in names}

    def __call__(self, losses):
        return {name: self.scale(name, value) for name, value in losses.items()}

    def scale(self, name, value):
        last = self.running[name]
        if last is None:
            last = value.detach()
        self.running[name] = self.momentum * last + (1 - self.momentum) * value  # <- culprit
        return value / (self.running[name] + 1e-6)


class GradientSurgeon:
    def __init__(self, params):
        self.params = list(params)
        self.conflicts = 0

    def grads(self, loss):
        gs = torch.autograd.grad(loss, self.params, retain_graph=True, allow_unused=True)  # <- culprit
        return torch.cat([(torch.zeros_like(p) if g is None else g).flatten() for p, g in zip(self.params, gs)])

    def merge(self, losses):
        a, b = (self.grads(l) for l in losses)
        dot = torch.dot(a, b)
        if dot < 0:
            self.conflicts += 1
            a, b = a - dot / b.dot(b).clamp_min(1e-12) * b, b - dot / a.dot(a).clamp_min(1e-12) * a
        self.assign(a + b)

    def assign(self, flat):
        at = 0
        for p in self.params:
            p.grad = flat[at:at + p.numel()].view_as(p).clone()
            at += p.numel()


def sessions(batch=48, listeners=200, shows=150, seed=12):
    g = torch.Generator().manual_seed(seed)
    taste = torch.randn(listeners, 4, generator=g)
    genre = torch.randn(shows, 4, generator=g)
    while True:
        who = torch.randint(listeners, (batch,), generator=g)
        what = torch.randint(shows, (batch,), generator=g)
        affinity = (taste[who] * genre[what]).sum(-1)
        clicked = (torch.sigmoid(affinity) > torch.rand(batch, generator=g)).float()
        yield who, what, {"clicked": clicked, "minutes": 5 * torch.sigmoid(affinity)}


def main(steps=220):
    torch.manual_seed(6)
    model = TwoTower()
    balancer = LossBalancer(OBJECTIVES)
    surgeon = GradientSurgeon(model.parameters())
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for it, (who, what, batch) in zip(range(steps), sessions()):
        out = model(who, what)
        losses = {name: fn(out, batch) for name, fn in OBJECTIVES.items()}
        surgeon.merge(balancer(losses).values())
        opt.step()
        if it % 40 == 0:
            shown = " ".join(f"{k} {v.item():.3f}" for k, v in losses.items())
            print(f"{it:4d} {shown} conflicts {surgeon.conflicts}")


if __name__ == "__main__":
    main()

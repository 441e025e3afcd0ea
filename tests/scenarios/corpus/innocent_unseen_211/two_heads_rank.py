# gradwatch-corpus: kind=none
"""Product ranking: click and dwell heads on one body, each with its own optimiser for the head."""
import torch
from torch import nn
import torch.nn.functional as F

HEADS = {}


def register(name):
    def deco(cls):
        HEADS[name] = cls
        return cls
    return deco


class Body(nn.Module):
    def __init__(self, users, items, dim=24):
        super().__init__()
        self.u, self.i = nn.Embedding(users, dim), nn.Embedding(items, dim)
        self.mlp = nn.Sequential(nn.Linear(2 * dim, 48), nn.SiLU(), nn.Linear(48, 32), nn.SiLU())

    def forward(self, u, i):
        return self.mlp(torch.cat([self.u(u), self.i(i)], -1))


@register("click")
class ClickHead(nn.Linear):
    def __init__(self, dim):
        super().__init__(dim, 1)

    def loss(self, z, batch):
        return F.binary_cross_entropy_with_logits(self(z).squeeze(-1), batch["click"])


@register("dwell")
class DwellHead(nn.Linear):
    def __init__(self, dim):
        super().__init__(dim, 1)

    def loss(self, z, batch):
        return F.huber_loss(F.softplus(self(z)).squeeze(-1), batch["dwell"])


class GradBalance:
    """Weights each task by the inverse of its gradient norm on the shared body, smoothed."""

    def __init__(self, names, beta=0.9):
        self.norms, self.beta = {n: 1.0 for n in names}, beta

    def observe(self, name, grads):
        n = torch.cat([g.flatten() for g in grads]).norm().item()
        self.norms[name] = self.beta * self.norms[name] + (1 - self.beta) * n

    def weight(self, name):
        return min(1.0 / (self.norms[name] + 1e-3), 10.0)


def batches(n, size, users=60, items=80):
    g = torch.Generator().manual_seed(19)
    pu, pi = torch.randn(users, 3, generator=g), torch.randn(items, 3, generator=g)
    for _ in range(n):
        u = torch.randint(0, users, (size,), generator=g)
        i = torch.randint(0, items, (size,), generator=g)
        s = (pu[u] * pi[i]).sum(-1)
        yield {"u": u, "i": i, "click": (s > 0.5).float(), "dwell": s.clamp(min=0)}


def main():
    torch.manual_seed(19)
    body = Body(60, 80)
    heads = nn.ModuleDict({n: cls(32) for n, cls in HEADS.items()})
    opt = torch.optim.Adam([*body.parameters(), *heads.parameters()], lr=5e-3)
    shared = list(body.mlp.parameters())
    balance = GradBalance(heads)
    recent = {n: [] for n in heads}
    for step, b in enumerate(batches(130, 64)):
        z = body(b["u"], b["i"])
        losses = {n: h.loss(z, b) for n, h in heads.items()}
        for n, l in losses.items():
            balance.observe(n, torch.autograd.grad(l, shared, retain_graph=True))
        opt.zero_grad()
        names = list(losses)
        for k, n in enumerate(names):
            (balance.weight(n) * losses[n]).backward(retain_graph=k < len(names) - 1)
            recent[n].append(float(losses[n].detach()))
        opt.step()
        if step % 40 == 0:
            print(step, {n: round(v[-1], 4) for n, v in recent.items()})


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(72)


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU())
        self.heads = nn.ModuleDict({"reg": nn.Linear(16, 1), "cls": nn.Linear(16, 3), "rec": nn.Linear(16, 8)})

    def forward(self, x):
        z = self.trunk(x)
        return {k: h(z) for k, h in self.heads.items()}


class PcGrad:
    """Projects away the conflicting part of the tasks' gradients."""

    def __init__(self, model, lr):
        self.shared = list(model.trunk.parameters())
        self.own = list(model.heads.parameters())
        self.opt = torch.optim.Adam(model.parameters(), lr)
        self.conflicts = 0

    def flat(self, loss, last):
        grads = torch.autograd.grad(loss, self.shared, retain_graph=not last)
        return torch.cat([g.flatten() for g in grads])

    def step(self, losses):
        self.opt.zero_grad()
        own = torch.autograd.grad(sum(losses), self.own, retain_graph=True)
        grads = [self.flat(l, last=i == len(losses) - 1) for i, l in enumerate(losses)]
        merged = torch.zeros_like(grads[0])
        for i, g in enumerate(grads):
            g = g.clone()
            for j, other in enumerate(grads):
                dot = torch.dot(g, other)
                if i != j and dot < 0:
                    g -= dot / other.pow(2).sum() * other
                    self.conflicts += 1
            merged += g
        start = 0
        for p in self.shared:
            p.grad = merged[start:start + p.numel()].view_as(p).clone()
            start += p.numel()
        for p, g in zip(self.own, own):
            p.grad = g
        self.opt.step()


def batches(n):
    w = torch.randn(8, 4)
    for _ in range(n):
        x = torch.randn(32, 8)
        z = x @ w
        yield x, {"reg": z[:, :1].tanh(), "cls": z[:, 1:].argmax(1), "rec": x}


def main():
    model = MultiTask()
    pc = PcGrad(model, 3e-3)
    curves = {"reg": [], "cls": [], "rec": []}
    for step, (x, t) in enumerate(batches(120)):
        out = model(x)
        losses = {"reg": F.mse_loss(out["reg"], t["reg"]), "cls": F.cross_entropy(out["cls"], t["cls"]),
                  "rec": F.l1_loss(out["rec"], t["rec"])}
        pc.step(list(losses.values()))
        for k, v in losses.items():
            curves[k].append(v.item())
        if step % 30 == 0:
            print(step, {k: round(v[-1], 3) for k, v in curves.items()}, pc.conflicts)


main()

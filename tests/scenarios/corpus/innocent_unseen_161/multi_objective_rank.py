# gradwatch-corpus: kind=none
"""Click / dwell / share ranking with projected gradients (PCGrad) on the shared tower."""
import random
from functools import reduce

import torch
import torch.nn.functional as F
from torch import nn


class Ranker(nn.Module):
    heads = ("click", "dwell", "share")

    def __init__(self, feats=16, dim=24):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(feats, dim), nn.ReLU(), nn.Linear(dim, dim), nn.ReLU())
        self.out = nn.ModuleDict({h: nn.Linear(dim, 1) for h in self.heads})

    def forward(self, x):
        z = self.shared(x)
        return {h: m(z).squeeze(-1) for h, m in self.out.items()}


class PCGrad:
    def __init__(self, params, opt):
        self.params, self.opt = list(params), opt
        self.conflicts = 0

    def flat_grad(self):
        return torch.cat([torch.zeros(p.numel()) if p.grad is None else p.grad.flatten() for p in self.params])

    def step(self, losses):
        grads = []
        for k, loss in enumerate(losses):
            self.opt.zero_grad()
            loss.backward(retain_graph=k < len(losses) - 1)
            grads.append(self.flat_grad().clone())
        merged = []
        for i, g in enumerate(grads):
            g = g.clone()
            others = [o for j, o in enumerate(grads) if j != i]
            random.shuffle(others)
            for o in others:
                dot = g @ o
                if dot < 0:
                    self.conflicts += 1
                    g -= dot / (o @ o + 1e-12) * o
            merged.append(g)
        total, at = reduce(torch.add, merged), 0
        for p in self.params:
            p.grad = total[at:at + p.numel()].view_as(p).clone()
            at += p.numel()
        self.opt.step()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(23)
    random.seed(23)
    net = Ranker()
    pc = PCGrad(net.parameters(), torch.optim.Adam(net.parameters(), lr=3e-3))
    w = torch.randn(3, 16)
    for step in range(110):
        x = torch.randn(48, 16)
        s = x @ w.t()
        pred = net(x)
        losses = [
            F.binary_cross_entropy_with_logits(pred["click"], (s[:, 0] > 0).float()),
            F.smooth_l1_loss(pred["dwell"], s[:, 1] * 0.5),
            F.binary_cross_entropy_with_logits(pred["share"], (s[:, 2] > 2).float()),
        ]
        pc.step(losses)
        if step % 25 == 0:
            print(step, [round(l.item(), 3) for l in losses], "conflicts", pc.conflicts)


if __name__ == "__main__":
    main()

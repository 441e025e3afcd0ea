# gradwatch-corpus: kind=none
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class PCGrad:
    """Gradient surgery (Yu et al. 2020) around a plain optimizer."""

    def __init__(self, optimizer):
        self.opt = optimizer
        self.params = [p for g in optimizer.param_groups for p in g["params"]]
        self.conflicts = []

    def _flat_grad(self):
        return torch.cat([(torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in self.params])

    def backward(self, losses):
        grads = []
        for i, loss in enumerate(losses):
            self.opt.zero_grad(set_to_none=True)
            loss.backward(retain_graph=i < len(losses) - 1)
            grads.append(self._flat_grad().clone())
        merged, hits = self._project(grads)
        self.conflicts.append(hits)
        at = 0
        for p in self.params:
            p.grad = merged[at:at + p.numel()].view_as(p).clone()
            at += p.numel()

    def _project(self, grads):
        out, hits = [], 0
        for i, g in enumerate(grads):
            g = g.clone()
            for j in random.sample(range(len(grads)), len(grads)):
                if j == i:
                    continue
                dot = torch.dot(g, grads[j])
                if dot < 0:
                    g -= dot / grads[j].pow(2).sum().clamp(min=1e-12) * grads[j]
                    hits += 1
            out.append(g)
        return torch.stack(out).sum(0), hits

    def step(self):
        self.opt.step()


class ClinicalNet(nn.Module):
    def __init__(self, d=20, h=40):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU())
        self.mortality, self.stay, self.pheno = nn.Linear(h, 1), nn.Linear(h, 1), nn.Linear(h, 4)

    def forward(self, x):
        z = self.shared(x)
        return self.mortality(z).squeeze(1), self.stay(z).squeeze(1), self.pheno(z)


def cohort(n, g):
    x = torch.randn(n, 20, generator=g)
    risk = x[:, 0] - 0.5 * x[:, 1] + x[:, 2] * x[:, 3]
    pheno = (torch.stack([x[:, 4], x[:, 5], -x[:, 0], x[:, 6]], 1) > 0).float()
    return x, (risk > 0.5).float(), F.softplus(2 - risk), pheno


def main():
    random.seed(2)
    torch.manual_seed(2)
    x, mort, stay, pheno = cohort(1500, torch.Generator().manual_seed(2))
    net = ClinicalNet()
    pc = PCGrad(torch.optim.Adam(net.parameters(), lr=1e-3))
    log = {"mort": [], "stay": [], "pheno": []}
    for it in range(450):
        i = torch.randint(0, len(x), (32,))
        m, s, p = net(x[i])
        losses = [F.binary_cross_entropy_with_logits(m, mort[i]),
                  F.smooth_l1_loss(s, stay[i]),
                  F.binary_cross_entropy_with_logits(p, pheno[i])]
        pc.backward(losses)
        pc.step()
        for k, l in zip(log, losses):
            log[k].append(l.item())
        if it % 90 == 0:
            print(it, {k: round(sum(v[-50:]) / len(v[-50:]), 4) for k, v in log.items()},
                  "conflicts", sum(pc.conflicts[-50:]))


if __name__ == "__main__":
    main()

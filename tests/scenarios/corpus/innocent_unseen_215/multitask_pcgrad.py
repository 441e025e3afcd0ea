# gradwatch-corpus: kind=none
"""Click / like / dwell-time heads over shared embeddings, conflicting gradients projected (PCGrad)."""
import argparse
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class SharedBottom(nn.Module):
    def __init__(self, users, items, dim=16):
        super().__init__()
        self.user, self.item = nn.Embedding(users, dim), nn.Embedding(items, dim)
        self.bottom = nn.Sequential(nn.Linear(2 * dim, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU())
        self.heads = nn.ModuleDict({t: nn.Linear(32, 1) for t in ("click", "like", "dwell")})

    def forward(self, u, i):
        h = self.bottom(torch.cat([self.user(u), self.item(i)], -1))
        return {t: head(h).squeeze(-1) for t, head in self.heads.items()}


class PCGrad:
    def __init__(self, optimizer):
        self.optimizer = optimizer
        self.params = [p for g in optimizer.param_groups for p in g["params"]]
        self.conflicts = 0

    def _flat_grad(self, loss, retain):
        self.optimizer.zero_grad()
        loss.backward(retain_graph=retain)
        return torch.cat([(torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in self.params])

    def step(self, losses):
        grads = [self._flat_grad(l, retain=k < len(losses) - 1) for k, l in enumerate(losses)]
        merged = torch.zeros_like(grads[0])
        for k, g in enumerate(grads):
            g = g.clone()
            others = [o for j, o in enumerate(grads) if j != k]
            random.shuffle(others)
            for o in others:
                dot = torch.dot(g, o)
                if dot < 0:
                    g -= dot / o.pow(2).sum().clamp_min(1e-12) * o
                    self.conflicts += 1
            merged += g
        offset = 0
        for p in self.params:
            n = p.numel()
            p.grad = merged[offset:offset + n].view_as(p).clone()
            offset += n
        self.optimizer.step()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--batch", type=int, default=128)
    args = ap.parse_args()
    random.seed(0); torch.manual_seed(0)
    users, items = 200, 300
    pu, qi = torch.randn(users, 8), torch.randn(items, 8)
    model = SharedBottom(users, items)
    pc = PCGrad(torch.optim.Adam(model.parameters(), lr=3e-3))
    logs = {"click": [], "like": [], "dwell": []}
    for step in range(1, args.steps + 1):
        u, i = torch.randint(0, users, (args.batch,)), torch.randint(0, items, (args.batch,))
        s = (pu[u] * qi[i]).sum(-1)
        out = model(u, i)
        losses = {
            "click": F.binary_cross_entropy_with_logits(out["click"], (s > 0).float()),
            "like": F.binary_cross_entropy_with_logits(out["like"], (s > 2).float()),
            "dwell": F.smooth_l1_loss(out["dwell"], -s.abs()),
        }
        pc.step(list(losses.values()))
        for k, v in losses.items():
            logs[k].append(v.item())
        if step % 40 == 0:
            print(step, {k: round(sum(v[-20:]) / 20, 4) for k, v in logs.items()}, "conflicts", pc.conflicts)


if __name__ == "__main__":
    main()

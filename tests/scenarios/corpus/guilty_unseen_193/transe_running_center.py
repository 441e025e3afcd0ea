# gradwatch-corpus: kind=graph-chain
# holder: center.value | self.value | self.center.value | model.center.value
# first-bad: 1
"""TransE link prediction; entity embeddings are kept spread around a running centre."""
import json

import torch
from torch import nn
import torch.nn.functional as F

CONFIG = json.loads("""
{"entities": 200, "relations": 8, "dim": 16, "triples": 3000, "batch": 64, "steps": 400,
 "margin": 1.0, "spread": 0.1, "momentum": 0.9, "lr": 0.01, "seed": 8}
""")


class RunningValue:
    def __init__(self, momentum):
        self.momentum = momentum
        self.value = None

    def __call__(self, x):
        if self.value is None:
            self.value = x
        else:
            self.value = self.momentum * self.value + (1 - self.momentum) * x
        return self.value


class TransE(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.ent = nn.Embedding(cfg["entities"], cfg["dim"])
        self.rel = nn.Embedding(cfg["relations"], cfg["dim"])
        nn.init.uniform_(self.ent.weight, -0.4, 0.4)
        nn.init.uniform_(self.rel.weight, -0.4, 0.4)
        self.center = RunningValue(cfg["momentum"])

    def distance(self, h, r, t):
        return (self.ent(h) + self.rel(r) - self.ent(t)).norm(p=2, dim=-1)

    def spread(self, h):
        e = self.ent(h)
        center = self.center(e.mean(0))  # <- culprit
        return F.softplus(1.0 - (e - center).norm(dim=-1)).mean()


def build_graph(cfg):
    g = torch.Generator().manual_seed(cfg["seed"])
    h = torch.randint(cfg["entities"], (cfg["triples"],), generator=g)
    r = torch.randint(cfg["relations"], (cfg["triples"],), generator=g)
    return torch.stack([h, r, (h + 7 * r + 1) % cfg["entities"]], dim=1), g


def negatives(triples, n_ent, g):
    corrupted = triples.clone()
    corrupted[:, 2] = torch.randint(n_ent, (len(triples),), generator=g)
    return corrupted


@torch.no_grad()
def hits_at(model, triples, k=10):
    h, r, t = triples[:200].unbind(1)
    query = model.ent(h) + model.rel(r)
    rank = torch.cdist(query, model.ent.weight).argsort(1)[:, :k]
    return (rank == t[:, None]).any(1).float().mean().item()


def main(cfg):
    torch.manual_seed(cfg["seed"])
    triples, g = build_graph(cfg)
    model = TransE(cfg)
    running_loss = RunningValue(0.98)
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    for step in range(1, cfg["steps"] + 1):
        pos = triples[torch.randint(len(triples), (cfg["batch"],), generator=g)]
        neg = negatives(pos, cfg["entities"], g)
        rank = F.relu(cfg["margin"] + model.distance(*pos.unbind(1)) - model.distance(*neg.unbind(1))).mean()
        loss = rank + cfg["spread"] * model.spread(pos[:, 0])
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        running_loss(loss.item())
        if step % 80 == 0:
            print(f"step {step}: loss {running_loss.value:.4f} hits@10 {hits_at(model, triples):.3f}")


if __name__ == "__main__":
    main(CONFIG)

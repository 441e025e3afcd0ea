# gradwatch-corpus: kind=second-backward
# holder: self._tables | model._tables | self.model._tables | cooks | dishes | fitter.model._tables
# first-bad: 1
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import torch

from interactions import build_adjacency, make_interactions, triplets
from lightgraph import LightGraph

CFG = dict(n_cooks=120, n_dishes=90, dim=24, hops=2, epochs=6, batch=96, lr=0.02, l2=1e-4)


class Fitter:
    def __init__(self, cfg):
        self.cfg = cfg
        self.rng = torch.Generator().manual_seed(cfg.get("seed", 12))
        self.pairs = make_interactions(cfg["n_cooks"], cfg["n_dishes"], self.rng)
        adj = build_adjacency(self.pairs, cfg["n_cooks"], cfg["n_dishes"])
        self.model = LightGraph(cfg["n_cooks"], cfg["n_dishes"], cfg["dim"], cfg["hops"], adj)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg["lr"])

    def run_epoch(self, epoch):
        self.model.refresh()  # <- culprit
        total, seen = 0.0, 0
        for cook, liked, other in triplets(self.pairs, self.cfg["n_dishes"], self.cfg["batch"], self.rng):
            cooks, dishes = self.model.tables()  # <- culprit
            gap = (cooks[cook] * (dishes[liked] - dishes[other])).sum(-1)
            loss = -torch.nn.functional.logsigmoid(gap).mean()
            loss = loss + self.cfg["l2"] * self.model.base_norm(cook, liked, other)
            self.opt.zero_grad()
            loss.backward()  # <- culprit
            self.opt.step()
            total += loss.item() * len(cook)
            seen += len(cook)
        return total / seen

    @torch.no_grad()
    def hit_rate(self, k=10):
        self.model.refresh()
        cooks, dishes = self.model.tables()
        top = (cooks @ dishes.t()).topk(k, dim=1).indices
        hits = [(top[c] == d).any().float() for c, d in self.pairs[:200].tolist()]
        return torch.stack(hits).mean().item()


def main():
    torch.manual_seed(12)
    fitter = Fitter(CFG)
    print("pairs:", len(fitter.pairs))
    for epoch in range(CFG["epochs"]):
        bpr = fitter.run_epoch(epoch)
        print(f"epoch {epoch}: bpr {bpr:.4f}  hit@10 {fitter.hit_rate():.3f}")


if __name__ == "__main__":
    main()

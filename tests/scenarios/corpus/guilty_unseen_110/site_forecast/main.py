# gradwatch-corpus: kind=graph-chain
# holder: self.anchor | prox.anchor | self.regs[0].anchor | learner.regs[0].anchor
# first-bad: 1
# notice: 5
"""Continual day-ahead forecasting: one model moves from site to site and stays near its own slow average."""
import torch

from learner import Learner
from pull import SlowPull, WeightDecay
from sites import SiteStream


def build(dim):
    return torch.nn.Sequential(
        torch.nn.Linear(dim, 24), torch.nn.ReLU(), torch.nn.Linear(24, 1)
    )


def main():
    torch.set_num_threads(1)
    torch.manual_seed(8)
    stream = SiteStream(dim=10, n_sites=5)
    model = build(10)
    learner = Learner(model, regs=[SlowPull(model, rate=0.02, strength=0.5), WeightDecay(model, 1e-4)])
    for site in range(5):
        err = None
        for k in range(60):
            err = learner.observe(*stream.draw(site, 32))
        seen = [learner.evaluate(*stream.draw(s, 128)) for s in range(site + 1)]
        print(f"site {site} last {err:.4f}  all seen {[round(v, 3) for v in seen]}")


if __name__ == "__main__":
    main()

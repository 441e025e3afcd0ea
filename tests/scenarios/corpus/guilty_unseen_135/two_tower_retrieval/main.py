# gradwatch-corpus: kind=second-backward
# holder: self.pool | negatives.pool | trainer.negatives.pool | self.negatives.pool
# first-bad: 61
# notice: 0
"""Two-tower retrieval: in-batch negatives at first, then also a pool of encoded catalogue items."""
import torch

torch.set_num_threads(1)

from negatives import CatalogueNegatives
from towers import Tower, clicks

CFG = dict(steps=400, pool_from=60, refresh=25, batch=12, temperature=0.2, lr=2e-3)


class RetrievalTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.catalogue = torch.randn(50, 8)
        self.query = Tower(8, 6)
        self.item = Tower(8, 6)
        self.negatives = CatalogueNegatives(self.item, self.catalogue, cfg["refresh"])
        self.opt = torch.optim.Adam([*self.query.parameters(), *self.item.parameters()], lr=cfg["lr"])

    def loss(self, q, idx, step):
        zq, zi = self.query(q), self.item(self.catalogue[idx])
        logits = zq @ zi.t()
        if step >= self.cfg["pool_from"]:
            logits = torch.cat([logits, zq @ self.negatives.get(step).t()], dim=1)
        return torch.nn.functional.cross_entropy(logits / self.cfg["temperature"], torch.arange(len(q)))

    def train(self):
        for step in range(self.cfg["steps"]):
            q, idx = clicks(self.catalogue, self.cfg["batch"])
            loss = self.loss(q, idx, step)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if step % 20 == 0:
                print(step, round(loss.item(), 4))


if __name__ == "__main__":
    torch.manual_seed(52)
    RetrievalTrainer(CFG).train()

# gradwatch-corpus: kind=graph-held
# holder: self._ledger | manager._ledger | self.checkpoints._ledger | runner.checkpoints._ledger | self.plugins["checkpoint"]._ledger | runner.plugins["checkpoint"]._ledger | self.records | manager.records | self.checkpoints.records | runner.checkpoints.records
# first-bad: 1
"""Two-tower retrieval with in-batch negatives and a checkpoint ledger."""
import torch

from plugins import PluginHost
from plugins import WarmupPlugin
from snapshots import CheckpointManager
from towers import TowerConfig
from towers import TwoTower
from towers import interactions


class RetrievalRunner(PluginHost):
    def __init__(self, cfg: TowerConfig):
        super().__init__()
        self.cfg = cfg
        self.model = TwoTower(cfg)
        self.optimizer = torch.optim.Adagrad(self.model.parameters(), lr=cfg.lr)
        self.checkpoints = CheckpointManager(keep=2, every=15)
        self.install("warmup", WarmupPlugin(20))
        self.install("checkpoint", self.checkpoints)

    def train(self):
        for step, (users, items) in enumerate(interactions(self.cfg)):
            self.broadcast("before_step", step=step)
            scores = self.model(users, items)
            labels = torch.arange(users.numel())
            loss = torch.nn.functional.cross_entropy(scores, labels)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.broadcast("after_step", step=step, score=loss)  # <- culprit


def main():
    torch.manual_seed(2)
    runner = RetrievalRunner(TowerConfig())
    runner.train()
    best = runner.checkpoints.best()
    print(f"kept {sorted(runner.checkpoints.snapshots)} best step {best.step} loss {best.score.item():.4f}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=graph-chain
# holder: self.epoch_loss | engine.epoch_loss | trainer.epoch_loss
# first-bad: 1
import logging
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
logger = logging.getLogger("churn")


@dataclass
class RunConfig:
    epochs: int = 3
    batch_size: int = 64
    lr: float = 0.002
    hidden_features: int = 40
    logged: list = field(default_factory=list)


class Engine:
    """Generic loop; subclasses say how a batch becomes a loss."""

    def __init__(self, model, optimizer, cfg):
        self.model = model
        self.optimizer = optimizer
        self.cfg = cfg
        self.epoch_loss = 0.0
        self.n_batches = 0

    def objective(self, batch):
        raise NotImplementedError

    def _book(self, loss):
        self.epoch_loss = self.epoch_loss + loss  # <- culprit
        self.n_batches += 1
        return self.epoch_loss  # <- culprit

    def _apply(self, total):
        self.optimizer.zero_grad()
        total.backward(retain_graph=True)
        self.optimizer.step()

    def run_batch(self, batch):
        loss = self.objective(batch)
        self._apply(self._book(loss))  # <- culprit

    def run(self, loader):
        for epoch in range(self.cfg.epochs):
            self.epoch_loss, self.n_batches = 0.0, 0
            for batch in loader:
                self.run_batch(batch)
            mean = float(self.epoch_loss) / self.n_batches
            self.cfg.logged.append(mean)
            logger.info("epoch %d  bce %.4f over %d batches", epoch, mean, self.n_batches)


class ChurnEngine(Engine):
    def __init__(self, *args, pos_weight=2.0):
        super().__init__(*args)
        self.bce = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(pos_weight))

    def objective(self, batch):
        features, churned = batch
        return self.bce(self.model(features).squeeze(1), churned)


class RandomFourier:
    def __init__(self, n_in, n_out):
        self.w = torch.randn(n_in, n_out)
        self.b = torch.rand(n_out) * 6.283

    def __call__(self, x):
        return torch.cos(x @ self.w + self.b)


def customers(n=2560, seed=0):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 9, generator=g)
    risk = x[:, 0] - 0.7 * x[:, 3] + 0.4 * x[:, 5] * x[:, 6]
    y = (risk + 0.3 * torch.randn(n, generator=g) > 0.5).float()
    return x, y


def main():
    torch.manual_seed(0)
    cfg = RunConfig()
    x, y = customers()
    lift = RandomFourier(x.size(1), cfg.hidden_features)
    loader = DataLoader(TensorDataset(lift(x), y), batch_size=cfg.batch_size, shuffle=True)
    model = nn.Linear(cfg.hidden_features, 1)
    engine = ChurnEngine(model, torch.optim.SGD(model.parameters(), lr=cfg.lr), cfg)
    engine.run(loader)
    with torch.no_grad():
        acc = ((model(lift(x)).squeeze(1) > 0).float() == y).float().mean()
    logger.info("train accuracy %.3f", acc.item())


if __name__ == "__main__":
    main()

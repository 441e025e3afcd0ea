# gradwatch-corpus: kind=graph-chain
# holder: self.theta | learner.theta | self.store.theta | learner.store.theta | self._cur | store._cur
# first-bad: 1
# notice: 5
"""Value learning for a tiny board game with explicit weight dictionaries."""
import torch
from torch import nn
import torch.nn.functional as F
from torch.func import functional_call

from learners import Learner

torch.set_num_threads(1)
torch.manual_seed(31)


class ValueNet(nn.Module):
    def __init__(self, cells=16, hidden=32):
        super().__init__()
        self.a = nn.Linear(3 * cells, hidden)
        self.b = nn.Linear(hidden, 1)

    def forward(self, s):
        return torch.tanh(self.b(F.relu(self.a(s)))).squeeze(-1)


class MonteCarloLearner(Learner):
    def target(self, batch):
        return batch["outcome"]

    def objective(self, theta, batch):
        v = functional_call(self.net, theta, (batch["state"],))
        return F.mse_loss(v, self.target(batch))


def positions(n, cells=16, batch=24):
    w = torch.randn(cells)
    for _ in range(n):
        board = torch.randint(0, 3, (batch, cells))
        score = ((board.float() - 1) * w).sum(1)
        yield {"state": F.one_hot(board, 3).float().flatten(1), "outcome": torch.sign(score)}


def main():
    learner = MonteCarloLearner(ValueNet(), lr=0.2, decay=1e-4)
    for k, batch in enumerate(positions(120)):
        v = learner.step(batch)
        if k % 30 == 29:
            print(f"{k:4d}  loss {v:.4f}  norm {learner.norm():.3f}")


if __name__ == "__main__":
    main()

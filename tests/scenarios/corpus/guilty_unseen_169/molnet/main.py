# gradwatch-corpus: kind=graph-held
# holder: self.total | metric.total | metrics["smooth"].total | self.metrics["smooth"].total | trainer.metrics["smooth"].total | m.total
# first-bad: 1
# notice: 8
import torch
from torch import nn

from graphs import molecules
from metrics import MeanAbsolute, Running, WeightedLoss

torch.set_num_threads(1)
torch.manual_seed(81)


class MessagePassing(nn.Module):
    def __init__(self, d, h, rounds=3):
        super().__init__()
        self.inp, self.msg, self.out = nn.Linear(d, h), nn.Linear(h, h), nn.Linear(h, 1)
        self.rounds = rounds

    def forward(self, feat, adj):
        h = torch.relu(self.inp(feat))
        deg = adj.sum(-1, keepdim=True).clamp_min(1)
        for _ in range(self.rounds):
            h = torch.relu(h + adj @ self.msg(h) / deg)
        return self.out(h.mean(1)).squeeze(-1), h


def smoothness(h, adj):
    diff = h.unsqueeze(2) - h.unsqueeze(1)
    return (adj.unsqueeze(-1) * diff.pow(2)).sum() / adj.sum()


class Trainer:
    def __init__(self, model, penalty=1e-2, report_every=20):
        self.model, self.penalty, self.report_every = model, penalty, report_every
        self.opt = torch.optim.Adam(model.parameters(), lr=3e-3)
        self.metrics = {
            "loss": WeightedLoss(),
            "mae": MeanAbsolute(),
            "smooth": Running(lifetime=True),
        }

    def step(self, feat, adj, target):
        pred, h = self.model(feat, adj)
        smooth = smoothness(h, adj)
        loss = nn.functional.mse_loss(pred, target) + self.penalty * smooth
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        n = len(target)
        self.metrics["loss"].update(loss, n)
        self.metrics["mae"].update((pred, target), n)
        self.metrics["smooth"].update(smooth, n)  # <- culprit

    def fit(self, loader, steps):
        for i in range(steps):
            self.step(*next(loader))
            if (i + 1) % self.report_every == 0:
                line = {k: round(float(m.compute()), 4) for k, m in self.metrics.items()}
                print(i + 1, line)
                for m in self.metrics.values():
                    if not m.lifetime:
                        m.reset()


if __name__ == "__main__":
    Trainer(MessagePassing(5, 16)).fit(molecules(batch=16, atoms=7, d=5), steps=100)

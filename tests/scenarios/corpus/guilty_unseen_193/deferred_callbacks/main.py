# gradwatch-corpus: kind=graph-held
# holder: self.jobs | logger.jobs | cb.jobs
# first-bad: 1
import torch
from torch import nn

from callbacks import PrintProgress, WandbLike
from trainer import Trainer


class MixtureOfExperts(nn.Module):
    def __init__(self, din=10, experts=4, hidden=16):
        super().__init__()
        self.gate = nn.Linear(din, experts)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(din, hidden), nn.SiLU(), nn.Linear(hidden, 1)) for _ in range(experts))

    def forward(self, x):
        probs = self.gate(x).softmax(-1)
        outs = torch.cat([e(x) for e in self.experts], dim=-1)
        return (outs * probs).sum(-1, keepdim=True), probs


def piecewise_stream(batch=32, seed=9):
    g = torch.Generator().manual_seed(seed)
    while True:
        x = torch.randn(batch, 10, generator=g)
        y = torch.where(x[:, :1] > 0, x[:, 1:2] * 2, -x[:, 2:3]).abs()
        yield x, y


def main():
    torch.manual_seed(0)
    model = MixtureOfExperts()
    optimizer = torch.optim.NAdam(model.parameters(), lr=3e-3)
    logger = WandbLike()
    trainer = Trainer(model, optimizer, [logger, PrintProgress(100)])
    trainer.fit(piecewise_stream(), steps=420)
    print(len(logger.rows), "rows", len(logger.media), "histograms")


if __name__ == "__main__":
    main()

import torch
from torch import nn

from .scalars import SINK

CELLS = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}


class Forecaster(nn.Module):
    def __init__(self, cell, width=12):
        super().__init__()
        self.rnn = CELLS[cell](1, width, batch_first=True)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        h, _ = self.rnn(x)
        return self.out(h)


def waves(batch, length=16):
    t = torch.arange(length + 1) * 0.4
    f, p = 0.5 + torch.rand(batch, 1), 6.28 * torch.rand(batch, 1)
    s = torch.sin(f * t + p).unsqueeze(-1)
    return s[:, :-1], s[:, 1:]


def hooks_for(number, cfg):
    hooks = []
    if cfg["trace"]:
        hooks.append(lambda step, terms: [SINK.scalar(f"trial{number}/{k}", step, v) for k, v in terms.items()])  # <- culprit
    return hooks


def run_trial(number, cfg, steps):
    model = Forecaster(cfg["cell"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    hooks = hooks_for(number, cfg)
    recent = []
    for step in range(steps):
        x, y = waves(12)
        pred = model(x)
        err = (pred - y).pow(2)
        terms = {"early": err[:, :4].mean(), "late": err[:, 4:].mean()}  # <- culprit
        loss = terms["early"] * 0.25 + terms["late"]
        opt.zero_grad()
        loss.backward()
        opt.step()
        for hook in hooks:
            hook(step, terms)  # <- culprit
        recent = (recent + [loss.item()])[-5:]
    return sum(recent) / len(recent)

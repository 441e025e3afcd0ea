# gradwatch-corpus: kind=none
"""Discharge model over one long record, truncated backpropagation every few chunks."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class RunConfig:
    gauges: int = 6
    chunk: int = 4
    truncate_every: int = 3
    backwards: int = 80
    hidden: int = 12
    lr: float = 5e-3


class StatefulModel(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.cell = nn.LSTMCell(2, hidden)
        self.head = nn.Linear(hidden, 1)
        self.state = None

    def forward(self, forcing):
        out = []
        for x in forcing:
            self.state = self.cell(x, self.state)
            out.append(self.head(self.state[0]).squeeze(-1))
        return torch.stack(out)

    def truncate(self):
        self.state = tuple(s.detach() for s in self.state)


class LongRecord:
    def __init__(self, cfg, seed=60):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.store = torch.zeros(cfg.gauges)

    def chunk(self):
        rain = torch.rand(self.cfg.chunk, self.cfg.gauges, generator=self.gen).pow(2)
        pet = 0.3 * torch.rand(self.cfg.chunk, self.cfg.gauges, generator=self.gen)
        flow = []
        for r, e in zip(rain, pet):
            self.store = (0.9 * self.store + r - e).clamp_min(0)
            flow.append(0.1 * self.store)
        return torch.stack([rain, pet], -1), torch.stack(flow)


def run(cfg):
    torch.manual_seed(60)
    torch.set_num_threads(1)
    model = StatefulModel(cfg.hidden)
    record = LongRecord(cfg)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=cfg.lr)
    pending, history = [], []
    while len(history) < cfg.backwards:
        forcing, flow = record.chunk()
        pending.append(nn.functional.mse_loss(model(forcing), flow))
        if len(pending) < cfg.truncate_every:
            continue
        loss = torch.stack(pending).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        model.truncate()
        pending.clear()
        history.append(loss.item())
        if len(history) % 20 == 0:
            print(f"{len(history):3d}  mse {sum(history[-20:]) / 20:.5f}")


if __name__ == "__main__":
    run(RunConfig())

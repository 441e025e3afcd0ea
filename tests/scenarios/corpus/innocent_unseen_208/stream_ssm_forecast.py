# gradwatch-corpus: kind=none
"""Selective state-space forecaster trained on a continuing stream of electricity load."""
import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class StreamConfig:
    meters: int = 12
    d_model: int = 12
    d_state: int = 6
    chunk: int = 8
    iterations: int = 420
    lr: float = 3e-3
    log_every: int = 60
    seed: int = 3


class LoadStream:
    def __init__(self, meters, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.phase = torch.rand(meters, generator=self.gen) * 2 * math.pi
        self.t = 0
        self.noise = torch.zeros(meters)

    def take(self, n):
        out = []
        for _ in range(n):
            self.noise = 0.9 * self.noise + 0.1 * torch.randn(self.noise.shape, generator=self.gen)
            daily = torch.sin(2 * math.pi * self.t / 24 + self.phase)
            out.append(daily + 0.3 * math.sin(2 * math.pi * self.t / 168) + self.noise)
            self.t += 1
        return torch.stack(out, 1)


class SelectiveSSM(nn.Module):
    def __init__(self, d_model, d_state):
        super().__init__()
        self.inp = nn.Linear(1, d_model)
        self.a_log = nn.Parameter(torch.arange(1, d_state + 1).float().log().repeat(d_model, 1))
        self.to_dt = nn.Linear(d_model, d_model)
        self.to_bc = nn.Linear(d_model, 2 * d_state)
        self.out = nn.Linear(d_model, 1)
        self.state = None

    def forward(self, u):
        x = F.silu(self.inp(u.unsqueeze(-1)))
        dt = F.softplus(self.to_dt(x) - 2)
        b, c = self.to_bc(x).chunk(2, dim=-1)
        decay = torch.exp(-dt.unsqueeze(-1) * self.a_log.exp())
        drive = (dt * x).unsqueeze(-1) * b.unsqueeze(-2)
        h = drive.new_zeros(drive[:, 0].shape) if self.state is None else self.state.detach()
        ys = []
        for t in range(u.size(1)):
            h = decay[:, t] * h + drive[:, t]
            ys.append((h * c[:, t].unsqueeze(-2)).sum(-1))
        self.state = h
        return self.out(torch.stack(ys, 1) + x).squeeze(-1)


def main():
    cfg = StreamConfig()
    torch.manual_seed(cfg.seed)
    stream = LoadStream(cfg.meters, cfg.seed)
    model = SelectiveSSM(cfg.d_model, cfg.d_state)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    pending = []
    series = stream.take(1)
    for it in range(cfg.iterations):
        series = torch.cat([series[:, -1:], stream.take(cfg.chunk)], 1)
        pred = model(series[:, :-1])
        loss = F.huber_loss(pred, series[:, 1:])
        opt.zero_grad()
        loss.backward()
        opt.step()
        pending.append(loss)
        if len(pending) == cfg.log_every:
            print(f"iter {it + 1}: {torch.stack(pending).mean().item():.4f}")
            pending.clear()


if __name__ == "__main__":
    main()

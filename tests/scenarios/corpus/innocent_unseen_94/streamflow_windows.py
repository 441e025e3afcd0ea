# gradwatch-corpus: kind=none
"""Streamflow forecasting with an LSTM cell that is carried along each catchment's
record; one optimiser step per window of eight days."""
from collections import deque
from dataclasses import dataclass
from typing import Optional, Tuple

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(55)


@dataclass
class Carry:
    h: torch.Tensor
    c: torch.Tensor
    last_flow: Optional[torch.Tensor] = None

    def cut(self) -> "Carry":
        flow = None if self.last_flow is None else self.last_flow.detach()
        return Carry(self.h.detach(), self.c.detach(), flow)


class Catchments:
    def __init__(self, n):
        self.n = n
        self.store = torch.zeros(n)
        self.k = 0.7 + 0.25 * torch.rand(n)
        self.day = 0

    def next_day(self):
        self.day += 1
        rain = torch.relu(torch.randn(self.n)) * (torch.rand(self.n) < 0.4)
        season = torch.full((self.n,), 0.02 * self.day).sin()
        self.store = self.k * self.store + rain * (0.6 + 0.2 * season)
        flow = (1 - self.k) * self.store
        return torch.stack([rain, season, self.k], 1), flow


class Router(nn.Module):
    def __init__(self, hidden=20):
        super().__init__()
        self.cell = nn.LSTMCell(4, hidden)
        self.head = nn.Linear(hidden, 1)

    def start(self, n):
        return Carry(torch.zeros(n, self.cell.hidden_size), torch.zeros(n, self.cell.hidden_size))

    def forward(self, met, carry: Carry) -> Tuple[torch.Tensor, Carry]:
        prev = carry.last_flow if carry.last_flow is not None else torch.zeros(len(met))
        h, c = self.cell(torch.cat([met, prev[:, None]], 1), (carry.h, carry.c))
        flow = self.head(h).squeeze(1)
        return flow, Carry(h, c, flow)


def main(windows=330, length=8):
    data = Catchments(10)
    model = Router()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, 110, 0.5)
    carry = model.start(data.n)
    recent = deque(maxlen=20)      # window losses, for the report
    running = 0.0
    history = []

    for w in range(windows):
        loss = 0.0
        for _ in range(length):
            met, obs = data.next_day()
            flow, carry = model(met, carry)
            loss = loss + (flow - obs).square().mean() / length
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(model.parameters(), 0.5)
        opt.step()
        sched.step()

        carry = carry.cut()
        recent.append(loss)
        running = 0.98 * running + 0.02 * loss.detach()
        history.append((w, loss.detach().clone()))
        if w % 66 == 65:
            mean = torch.stack(list(recent)).mean()
            print(f"window {w + 1}: last 20 {mean.item():.5f}  smoothed {running.item():.5f}")

    best = min(history, key=lambda p: p[1].item())
    print("best window", best[0], round(best[1].item(), 6))


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
"""Respiration signal tagger; every k1 samples the last k2 samples are run again from a kept start state."""
import torch
from torch import nn

from window import Rewinder

torch.manual_seed(1)
torch.set_num_threads(1)


class Tagger(nn.Module):
    def __init__(self, width=14):
        super().__init__()
        self.cell = nn.LSTMCell(2, width)
        self.out = nn.Linear(width, 3)
        self.width = width

    def begin(self, n):
        return torch.zeros(n, self.width), torch.zeros(n, self.width)

    def forward(self, x, state):
        h, c = self.cell(x, state)
        return self.out(h), (h, c)


def patient(n_steps, batch):
    pace = 0.1 + 0.2 * torch.rand(batch)
    t = torch.arange(n_steps)[:, None] * pace
    flow = torch.sin(t)
    label = (flow > 0.4).long() + (flow > -0.4).long()
    return torch.stack([flow + 0.2 * torch.randn_like(flow), torch.cos(t)], -1), label


def main():
    net = Tagger()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    updates = 0
    for night in range(6):
        xs, ys = patient(100, 6)
        rewinder = Rewinder(net, net.begin(6), k1=5, k2=20)
        seen = []
        for x, y in zip(xs, ys):
            loss = rewinder.push(x, y)
            if loss is None:
                continue
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            opt.step()
            updates += 1
            seen.append(loss.item())
        print(night, updates, f"{sum(seen) / len(seen):.4f}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
"""Recurrent world model with truncated back-propagation and a bounded log of plain numbers."""
from collections import deque, namedtuple

import torch
from torch import nn

torch.set_num_threads(1)
Belief = namedtuple("Belief", "h c")


class Model(nn.Module):
    def __init__(self, obs=4, width=24):
        super().__init__()
        self.cell, self.read, self.width = nn.LSTMCell(obs, width), nn.Linear(width, obs), width
        self.belief = None

    def reset(self, n):
        self.belief = Belief(torch.zeros(n, self.width), torch.zeros(n, self.width))

    def forward(self, chunk):
        h, c = self.belief
        outs = []
        for x in chunk:
            h, c = self.cell(x, (h, c))
            outs.append(self.read(h))
        self.belief = Belief(h, c)
        return torch.stack(outs)

    def cut(self):
        self.belief = Belief(*(t.detach() for t in self.belief))


def stream(n, seed=0):
    g = torch.Generator().manual_seed(seed)
    phase = torch.rand(n, 4, generator=g) * 6
    t = 0
    while True:
        yield torch.sin(phase + 0.1 * t) + 0.05 * torch.randn(n, 4, generator=g)
        t += 1


def chunks(src, k):
    prev = next(src)
    while True:
        xs = [prev] + [next(src) for _ in range(k)]
        prev = xs[-1]
        yield torch.stack(xs[:-1]), torch.stack(xs[1:])


if __name__ == "__main__":
    torch.manual_seed(0)
    model = Model()
    model.reset(12)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    last = deque(maxlen=20)
    for i, (x, y) in zip(range(120), chunks(stream(12), 6)):
        pred = model(x)
        loss = (pred - y).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.cut()
        last.append(loss.item())
        if i % 30 == 0:
            print(f"chunk {i} mse {sum(last) / len(last):.4f} |h| {model.belief.h.norm().item():.2f}")

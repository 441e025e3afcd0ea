# gradwatch-corpus: kind=graph-chain
# holder: h | stream | stream.gi_frame.f_locals["h"]
# first-bad: 1
import itertools

import torch
from torch import nn


class PlainSGD:
    __slots__ = ("params", "lr", "clip")

    def __init__(self, params, lr, clip=1.0):
        self.params = list(params)
        self.lr = lr
        self.clip = clip

    def step(self):
        nn.utils.clip_grad_norm_(self.params, self.clip)
        for p in self.params:
            if p.grad is None:
                continue
            p.data.add_(p.grad.data, alpha=-self.lr)
            p.grad = None


class Walker(nn.Module):
    def __init__(self, n_in=3, hidden=24):
        super().__init__()
        self.cell = nn.GRUCell(n_in, hidden)
        self.read = nn.Linear(hidden, 1)
        self.hidden = hidden

    def stream(self, batch):
        """Send in a window (time, batch, n_in), get back a prediction for each of its steps."""
        h = torch.zeros(batch, self.hidden)
        out = None
        while True:
            window = yield out
            preds = []
            for x in window:
                h = self.cell(x, h)  # <- culprit
                preds.append(self.read(h))
            out = torch.stack(preds).squeeze(-1)


def signal(batch, seed=8):
    """An endless series of (x, target); the target is a slow average of the inputs."""
    g = torch.Generator().manual_seed(seed)
    slow = torch.zeros(batch)
    while True:
        x = torch.randn(batch, 3, generator=g)
        slow = 0.8 * slow + 0.2 * x.sum(-1)
        yield x, slow


def windows(series, length):
    while True:
        xs, ys = zip(*itertools.islice(series, length))
        yield torch.stack(xs), torch.stack(ys)


def main(steps=70, batch=8, length=2):
    torch.manual_seed(3)
    model = Walker()
    opt = PlainSGD(model.parameters(), lr=0.1)
    stream = model.stream(batch)
    next(stream)
    best = float("inf")
    for step, (x, y) in enumerate(itertools.islice(windows(signal(batch), length), steps)):
        pred = stream.send(x)
        loss = (pred - y).square().mean()
        loss.backward(retain_graph=True)
        opt.step()
        best = min(best, loss.item())
        if step % 14 == 0:
            print(f"step {step:3d}  loss {loss.item():.4f}  best {best:.4f}")
    stream.close()


if __name__ == "__main__":
    main()

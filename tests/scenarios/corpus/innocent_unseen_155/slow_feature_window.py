# gradwatch-corpus: kind=none
from collections import deque

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(61)


class SlowFeatures(nn.Module):
    """Linear features of a stream; the last few outputs stay in the loss."""

    def __init__(self, n_in=12, n_out=4, span=4):
        super().__init__()
        self.proj = nn.Linear(n_in, n_out, bias=False)
        self.window = deque(maxlen=span)

    def forward(self, x):
        z = self.proj(x)
        self.window.append(z)
        return z

    @property
    def ready(self):
        return len(self.window) == self.window.maxlen

    def slowness(self):
        z = list(self.window)
        return sum((b - a).pow(2).mean() for a, b in zip(z[:-1], z[1:]))

    def variance(self):
        z = torch.cat(list(self.window))
        cov = (z - z.mean(0)).T @ (z - z.mean(0)) / len(z)
        return (cov - torch.eye(cov.size(0))).pow(2).mean()


def stream(n, batch=16):
    mix = torch.randn(4, 12) / 2
    speed = torch.tensor([0.02, 0.1, 0.5, 1.5])
    phase = torch.rand(batch, 4) * 6.28
    for _ in range(n):
        phase = phase + speed
        yield phase.sin() @ mix + 0.02 * torch.randn(batch, 12)


def main():
    model = SlowFeatures()
    opt = torch.optim.SGD(model.parameters(), lr=0.05)
    slow = 0.0
    for t, x in enumerate(stream(120)):
        model(x)
        if not model.ready:
            continue
        s = model.slowness()
        loss = s + 2.0 * model.variance()
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        slow = 0.95 * slow + 0.05 * s.item()
        if t % 30 == 0:
            print(t, f"slowness {slow:.4f} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
"""
Echo state network with trainable input weights, learning at every sample of a trial.

The recurrent matrix is fixed. Each trial starts from rest; within a trial the gradient of every sample
goes back to the trial's beginning.
"""
import math

import torch
from torch import nn

TRIALS, LENGTH = 18, 22


class Reservoir(nn.Module):
    def __init__(self, n_in, n_units, radius=0.85, leak=0.5):
        super().__init__()
        w = torch.randn(n_units, n_units) * (torch.rand(n_units, n_units) < 0.2)
        w = w * (radius / torch.linalg.eigvals(w).abs().max())
        self.register_buffer("w", w)
        self.w_in = nn.Linear(n_in, n_units)
        self.w_out = nn.Linear(n_units, 1)
        self.leak = leak
        self.state = None

    def rest(self, batch):
        self.state = torch.zeros(batch, self.w.size(0))

    def forward(self, x):
        pre = torch.tanh(self.w_in(x) + self.state @ self.w)
        self.state = (1 - self.leak) * self.state + self.leak * pre
        return self.w_out(self.state).squeeze(1)


def trial(gen, batch=6):
    f = 0.1 + 0.2 * torch.rand(batch, 1, generator=gen)
    phase = math.tau * torch.rand(batch, 1, generator=gen)
    t = torch.arange(LENGTH + 2).float()
    wave = torch.sin(math.tau * f * t + phase)
    noisy = wave + 0.1 * torch.randn(wave.shape, generator=gen)
    x = torch.stack([noisy[:, :-2], f.expand(-1, LENGTH)], dim=2)
    return x.transpose(0, 1), wave[:, 2:].t()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(44)
    gen = torch.Generator().manual_seed(45)
    net = Reservoir(2, 40)
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    for k in range(TRIALS):
        xs, ys = trial(gen)
        net.rest(xs.size(1))
        err = 0.0
        for i, (x, y) in enumerate(zip(xs, ys)):
            loss = (net(x) - y).pow(2).mean()
            opt.zero_grad()
            loss.backward(retain_graph=i < LENGTH - 1)
            opt.step()
            err += loss.item()
        if k % 3 == 0:
            print(f"trial {k:2d}  mse {err / LENGTH:.4f}")


if __name__ == "__main__":
    main()

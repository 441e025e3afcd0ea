# gradwatch-corpus: kind=graph-held
# holder: self.stem.weight._backward_hooks | net.stem.weight._backward_hooks | weight._backward_hooks | self.stem.weight | net.stem.weight
"""Regression with learned noise; the stem's gradient is scaled by the batch's confidence."""
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(31)


class NoisyRegressor(nn.Module):
    def __init__(self, dim=12, width=32):
        super().__init__()
        self.stem = nn.Linear(dim, width)
        self.mean = nn.Sequential(nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        self.noise = nn.Sequential(nn.ReLU(), nn.Linear(width, 1))

    def forward(self, x):
        h = self.stem(x)
        return self.mean(h).squeeze(1), self.noise(h).squeeze(1).clamp(-6, 4)


class ConfidenceScaling:
    """Damps the stem's update on batches for which the model says it is unsure."""

    def __init__(self, weight, floor=0.2):
        self.weight = weight
        self.floor = floor
        self.seen = []
        self.armed_for = None

    def arm(self, step, log_var):
        confidence = torch.exp(-log_var).mean().clamp(self.floor, 1.0)  # <- culprit
        self.armed_for = step

        def scale(grad):
            if step != self.armed_for:
                return None
            self.seen.append(float(confidence))
            return grad * float(confidence)

        self.weight.register_hook(scale)  # <- culprit

    def average(self, last=20):
        recent = self.seen[-last:]
        return sum(recent) / max(1, len(recent))


def gaussian_nll(mean, log_var, y):
    return 0.5 * (log_var + (y - mean) ** 2 * torch.exp(-log_var) + math.log(2 * math.pi)).mean()


def sample(gen, batch=48, dim=12):
    x = torch.randn(batch, dim, generator=gen)
    spread = 0.1 + 0.5 * (x[:, 0] > 0).float()
    y = torch.sin(x[:, 1] * 2) + x[:, 2] + spread * torch.randn(batch, generator=gen)
    return x, y


def main(steps=100):
    gen = torch.Generator().manual_seed(7)
    net = NoisyRegressor()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    scaling = ConfidenceScaling(net.stem.weight)
    for step in range(steps):
        x, y = sample(gen)
        mean, log_var = net(x)
        scaling.arm(step, log_var)  # <- culprit
        loss = gaussian_nll(mean, log_var, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            rmse = (mean - y).pow(2).mean().sqrt().item()
            print(f"step {step} nll {loss.item():.3f} rmse {rmse:.3f} confidence {scaling.average():.2f}")


if __name__ == "__main__":
    main()

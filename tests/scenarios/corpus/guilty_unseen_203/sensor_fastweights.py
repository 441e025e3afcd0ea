# gradwatch-corpus: kind=graph-chain
# holder: self.weights | self.weights[n] | model.weights
# first-bad: 1
"""Online calibration of drifting sensors with a small functional network."""
import math

import torch
import torch.nn.functional as F


class DriftStream:
    def __init__(self, sensors, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.gain = 1 + 0.1 * torch.randn(sensors, generator=self.gen)
        self.offset = 0.2 * torch.randn(sensors, generator=self.gen)
        self.sensors = sensors
        self.t = 0

    def next(self, n=32):
        self.t += 1
        drift = 0.1 * math.sin(self.t / 60)
        truth = torch.randn(n, 1, generator=self.gen)
        noise = 0.05 * torch.randn(n, self.sensors, generator=self.gen)
        return truth * (self.gain + drift) + self.offset + noise, truth


def init(sizes, gen):
    out = {}
    for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
        out[f"w{i}"] = (torch.randn(b, a, generator=gen) / a ** 0.5).requires_grad_()
        out[f"b{i}"] = torch.zeros(b, requires_grad=True)
    return out


class Calibrator:
    def __init__(self, sizes, lr, seed=3):
        gen = torch.Generator().manual_seed(seed)
        self.weights = init(sizes, gen)
        self.depth = len(sizes) - 1
        self.lr = lr

    def predict(self, x):
        for i in range(self.depth):
            x = F.linear(x, self.weights[f"w{i}"], self.weights[f"b{i}"])
            if i + 1 < self.depth:
                x = torch.tanh(x)
        return x

    def observe(self, x, y):
        loss = F.mse_loss(self.predict(x), y)
        names = list(self.weights)
        grads = torch.autograd.grad(loss, [self.weights[n] for n in names])
        norm = torch.sqrt(sum(g.pow(2).sum() for g in grads))
        scale = min(1.0, 1.0 / (norm.item() + 1e-8))
        self.weights = {
            n: self.weights[n] - self.lr * scale * g for n, g in zip(names, grads)  # <- culprit
        }
        return loss.item()


def main(steps=450):
    torch.manual_seed(0)
    stream = DriftStream(6, seed=14)
    model = Calibrator([6, 24, 24, 1], lr=0.05)
    mean = None
    for step in range(steps):
        x, y = stream.next()
        value = model.observe(x, y)
        mean = value if mean is None else 0.95 * mean + 0.05 * value
        if step % 75 == 0:
            print(f"step {step:4d}  mse {value:.4f}  smooth {mean:.4f}")
    with torch.no_grad():
        x, y = stream.next(256)
        print("held-out rmse", F.mse_loss(model.predict(x), y).sqrt().item())


if __name__ == "__main__":
    main()

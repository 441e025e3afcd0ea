# gradwatch-corpus: kind=memory-climb
# holder: self.traces | drift.traces | monitor.traces
# first-bad: 1
# notice: 100
"""Unsupervised plastic layer (Oja's rule) under a readout trained by gradient descent, on a drifting stream."""
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn

config = {
    "inputs": 256,
    "hidden": 256,
    "classes": 8,
    "batch": 24,
    "iterations": 220,
    "plasticity": {"eta": 2e-3, "trace_length": 25},  # <- culprit
    "readout": {"lr": 5e-3},
    "seed": 17,
}


class PlasticLayer(nn.Module):
    """Weights change by local activity only, never by a gradient."""

    def __init__(self, n_in, n_out, eta):
        super().__init__()
        self.register_buffer("w", torch.randn(n_out, n_in) / n_in ** 0.5)
        self.eta = eta

    @torch.no_grad()
    def forward(self, x):
        y = F.linear(x, self.w)
        if self.training:
            # Oja: dw = eta * (y x' - y^2 w)
            hebb = y.T @ x / len(x)
            decay = y.pow(2).mean(0).unsqueeze(1) * self.w
            self.w += self.eta * (hebb - decay)
        return torch.relu(y)


class DriftMonitor:
    """How far did the plastic weights move over the trace window?"""

    def __init__(self, layer, options):
        self.layer = layer
        self.traces = deque(maxlen=options.get("trace_len"))  # <- culprit

    def after_step(self):
        self.traces.append(self.layer.w.clone())  # <- culprit

    @property
    def drift(self):
        return (self.traces[-1] - self.traces[0]).norm().item() / self.traces[0].norm().item()


class DriftingClusters:
    def __init__(self, dim, classes, gen):
        self.gen = gen
        self.centres = torch.randn(classes, dim, generator=gen)

    def __iter__(self):
        while True:
            self.centres += 0.02 * torch.randn(self.centres.shape, generator=self.gen)
            y = torch.randint(len(self.centres), (config["batch"],), generator=self.gen)
            noise = torch.randn(len(y), self.centres.size(1), generator=self.gen)
            yield self.centres[y] + 1.5 * noise, y


def main(cfg):
    torch.manual_seed(cfg["seed"])
    stream = iter(DriftingClusters(cfg["inputs"], cfg["classes"], torch.Generator().manual_seed(cfg["seed"])))
    plastic = PlasticLayer(cfg["inputs"], cfg["hidden"], cfg["plasticity"]["eta"])
    readout = nn.Linear(cfg["hidden"], cfg["classes"])
    opt = torch.optim.Adam(readout.parameters(), **cfg["readout"])
    monitor = DriftMonitor(plastic, cfg["plasticity"])

    hits = seen = 0
    for i in range(cfg["iterations"]):
        x, y = next(stream)
        logits = readout(plastic(x))
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        monitor.after_step()

        hits += (logits.argmax(1) == y).sum().item()
        seen += len(y)
        if (i + 1) % 44 == 0:
            print(f"{i + 1:4d}  online acc {hits / seen:.3f}  loss {loss.item():.3f}  drift {monitor.drift:.4f}")
            hits = seen = 0


if __name__ == "__main__":
    main(config)

# gradwatch-corpus: kind=graph-held
# holder: self.spread | probe.spread | probes[name].spread | p.spread
# first-bad: 1
# notice: 8
import torch
from torch import nn

from .probes import attach

torch.set_num_threads(1)
torch.manual_seed(5)


def build(depth=4, width=24):
    layers, size = [], 10
    for _ in range(depth):
        layers += [nn.Linear(size, width), nn.ReLU()]
        size = width
    return nn.Sequential(*layers, nn.Linear(size, 3))


def stream(steps, n=32):
    centre = torch.randn(3, 10)
    for _ in range(steps):
        label = torch.randint(0, 3, (n,))
        yield centre[label] + 0.8 * torch.randn(n, 10), label


def run():
    model = build()
    probes = attach(model)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    for step, (x, y) in enumerate(stream(100)):
        opt.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        opt.step()
        if (step + 1) % 25 == 0:
            row = ", ".join(f"{name}={probe.summary():.2f}" for name, probe in probes.items())
            print(step + 1, f"{loss.item():.3f}", row)


if __name__ == "__main__":
    run()

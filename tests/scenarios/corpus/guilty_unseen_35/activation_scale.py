# gradwatch-corpus: kind=graph-held
# holder: _rows[label] | _rows | scale_log.__defaults__[2] | scale_log.__defaults__
# first-bad: 1
"""Train a residual MLP regressor and report how the activation scale of its blocks drifts."""
from collections import defaultdict
from functools import partial

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def scale_log(label=None, value=None, _rows=defaultdict(list)):
    """scale_log(name, value) adds a reading, scale_log() gives all of them."""
    if label is not None:
        _rows[label].append(value)  # <- culprit
    return _rows


def rms(t):
    return t.square().mean().sqrt()  # <- culprit


def tap(label, module, inputs, output):
    if module.training:
        scale_log(label, rms(output))  # <- culprit


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x):
        return x + self.inner(x)


class Regressor(nn.Module):
    def __init__(self, d_in, width, depth):
        super().__init__()
        self.stem = nn.Linear(d_in, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.out(x).squeeze(-1)


def instrument(model, kind):
    handles = []
    for name, module in model.named_modules():
        if isinstance(module, kind):
            handles.append(module.register_forward_hook(partial(tap, name)))  # <- culprit
    return handles


def friedman(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.rand(n, 10, generator=g)
    y = 10 * torch.sin(3.1416 * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    return x, (y - 14.4) / 5 + 0.1 * torch.randn(n, generator=g)


def main():
    torch.manual_seed(12)
    loader = DataLoader(TensorDataset(*friedman(1600, 1)), batch_size=64, shuffle=True)
    vx, vy = friedman(400, 2)
    model = Regressor(10, 32, depth=3)
    handles = instrument(model, Block)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
    for epoch in range(4):
        model.train()
        for x, y in loader:
            opt.zero_grad()
            loss = nn.functional.huber_loss(model(x), y)
            loss.backward()
            opt.step()
        model.eval()
        with torch.no_grad():
            val = nn.functional.mse_loss(model(vx), vy).item()
        print(f"epoch {epoch} val mse {val:.4f}")
    for handle in handles:
        handle.remove()
    for label, readings in scale_log().items():
        print(f"{label:10s} rms {readings[0].item():.3f} -> {readings[-1].item():.3f}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
"""Sparse autoencoder: a forward hook hands the code to the loss, which empties the hook's tray."""
from functools import partial

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

EPOCHS, WIDTH, CODE = 4, 32, 64


def collect(tray, name, module, args, output):
    tray.setdefault(name, []).append(output)


class SparsityPenalty:
    """Mean activity of the watched layers, over all passes since it was last asked."""

    def __init__(self, target):
        self.target = target
        self.tray = {}
        self.readings = []

    def watch(self, **layers):
        for name, layer in layers.items():
            layer.register_forward_hook(partial(collect, self.tray, name))
        return self

    def __call__(self):
        total = 0.0
        while self.tray:
            _, outputs = self.tray.popitem()
            activity = torch.cat(outputs).mean(0)
            total = total + (activity - self.target).abs().mean()
        self.readings.append(total.item())
        return total


class SparseAutoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(WIDTH, CODE), nn.Sigmoid())
        self.decode = nn.Linear(CODE, WIDTH)

    def forward(self, x):
        return self.decode(self.encode(x))


def dictionary_data(n=1280, atoms=24):
    g = torch.Generator().manual_seed(41)
    codes = torch.rand(n, atoms, generator=g) * (torch.rand(n, atoms, generator=g) < 0.15)
    return codes @ torch.randn(atoms, WIDTH, generator=g)


def main():
    torch.manual_seed(42)
    data = dictionary_data()
    loader = DataLoader(TensorDataset(data), batch_size=64, shuffle=True)
    model = SparseAutoencoder()
    sparsity = SparsityPenalty(target=0.1).watch(code=model.encode)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(EPOCHS):
        total = 0.0
        for (x,) in loader:
            clean = model(x)
            noisy = model(x + 0.1 * torch.randn_like(x))
            rebuild = nn.functional.mse_loss(clean, x) + nn.functional.mse_loss(noisy, x)
            loss = rebuild + 0.5 * sparsity()
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += rebuild.item()
        recent = sparsity.readings[-len(loader):]
        print(f"epoch {epoch}: rebuild {total / len(loader):.4f} sparsity {sum(recent) / len(recent):.4f}")


if __name__ == "__main__":
    main()

"""Cartoon faces with two labels: age in [0, 1] (wrinkle density), and whether it smiles."""
import torch
from torch.utils.data import DataLoader, TensorDataset


def faces(n, size=12, seed=0):
    g = torch.Generator().manual_seed(seed)
    age = torch.rand(n, generator=g)
    smile = torch.randint(0, 2, (n,), generator=g)
    xs = torch.linspace(-1, 1, size).view(1, 1, size)
    ys = torch.linspace(-1, 1, size).view(1, size, 1)
    curve = (2 * smile.float() - 1).view(n, 1, 1)
    mouth = torch.exp(-((ys - 0.4 + 0.4 * curve * (xs ** 2)) ** 2) / 0.02)
    wrinkles = age.view(n, 1, 1) * torch.sin(12 * ys) * (ys < 0)
    img = mouth + wrinkles + 0.2 * torch.randn(n, size, size, generator=g)
    return img.unsqueeze(1), age, smile


def loaders(n_train=512, n_valid=128, batch_size=32):
    train = TensorDataset(*faces(n_train, seed=1))
    valid = TensorDataset(*faces(n_valid, seed=2))
    return DataLoader(train, batch_size, shuffle=True), DataLoader(valid, batch_size)

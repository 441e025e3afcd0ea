import torch
from torch.utils.data import DataLoader, TensorDataset, random_split


def loaders(n=600):
    y = torch.randint(0, 4, (n,))
    t = torch.linspace(0, 6.28, 40)
    x = torch.sin(t[None] * (1 + y[:, None].float()) + torch.rand(n, 1)) + 0.4 * torch.randn(n, 40)
    train, val = random_split(TensorDataset(x.unsqueeze(1), y), [480, n - 480])
    return DataLoader(train, batch_size=16, shuffle=True), DataLoader(val, batch_size=60)

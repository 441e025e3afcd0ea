import torch
from torch.utils.data import TensorDataset, DataLoader

N_FEAT = 6   # day of season, temp, rain, wind, humidity, yesterday


def get_loader(bs, n=640):
    d = torch.rand(n)
    temp = 12 + 10 * torch.sin(d * 3.14) + 2 * torch.randn(n)
    rain = torch.relu(torch.randn(n))
    wind = torch.rand(n) * 8
    hum = torch.rand(n)
    season = torch.exp(-(d - 0.45) ** 2 / 0.02)
    y = 200 * season * torch.sigmoid((temp - 15) / 3) * torch.exp(-rain) * (0.5 + wind / 8)
    prev = y * (0.8 + 0.4 * torch.rand(n))
    x = torch.stack([d - 0.5, (temp - 18) / 5, rain, wind / 8, hum, torch.log1p(prev) / 5], 1)
    return DataLoader(TensorDataset(x, y), batch_size=bs, shuffle=True)

import torch


def beat(batch, length=80):
    t = torch.linspace(-1, 1, length)
    width = 0.03 + 0.05 * torch.rand(batch, 1)
    t_wave = 0.2 + 0.4 * torch.rand(batch, 1)
    height = 0.1 + 0.4 * torch.rand(batch, 1)
    return torch.exp(-(t / width) ** 2) + height * torch.exp(-((t - t_wave) / 0.12) ** 2)


def augment(x):
    return (x * (0.8 + 0.4 * torch.rand(len(x), 1)) + 0.05 * torch.randn_like(x)).unsqueeze(1)


def beat_views(steps, batch):
    for _ in range(steps):
        x = beat(batch)
        yield augment(x), augment(x)

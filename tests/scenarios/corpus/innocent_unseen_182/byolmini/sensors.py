import torch


def sensor_windows(n, length=32):
    t = torch.arange(length).float()
    kind = torch.randint(0, 3, (n,))
    f = torch.tensor([0.05, 0.12, 0.25])[kind]
    x = torch.sin(6.28 * f[:, None] * t + 6.28 * torch.rand(n, 1))
    return x + 0.1 * torch.randn(n, length), kind


def view(x):
    shift = int(torch.randint(-3, 4, ()))
    gain = 0.8 + 0.4 * torch.rand(x.shape[0], 1)
    return gain * torch.roll(x, shift, dims=1) + 0.1 * torch.randn_like(x)

import torch


def beats(n, length=64):
    t = torch.linspace(0, 1, length)
    while True:
        f = torch.randint(1, 9, (n, 1, 1)) * 3.0
        base = torch.sin(f * t + torch.rand(n, 1, 1) * 6)
        yield base + 0.1 * torch.randn(n, 1, length), base.roll(3, -1) * (0.8 + 0.4 * torch.rand(n, 1, 1))

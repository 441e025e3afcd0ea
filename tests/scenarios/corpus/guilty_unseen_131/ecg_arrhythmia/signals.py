import torch


def synth_beats(n, length=48):
    y = torch.randint(0, 3, (n,))
    t = torch.linspace(-1, 1, length)
    width = torch.tensor([0.05, 0.15, 0.3])[y].unsqueeze(1)
    x = torch.exp(-(t / width) ** 2) + 0.05 * torch.randn(n, length)
    return x, y

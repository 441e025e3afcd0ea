import torch


def make_split(n=240, length=40):
    t = torch.linspace(0, 6.28, length)
    label = torch.randint(0, 3, (n,))
    freq = (label + 1).float().unsqueeze(1)
    sig = torch.sin(freq * t + torch.rand(n, 1) * 6.28) + 0.3 * torch.randn(n, length)
    sig = sig.unsqueeze(1)
    return (sig[:200], label[:200]), (sig[200:], label[200:])

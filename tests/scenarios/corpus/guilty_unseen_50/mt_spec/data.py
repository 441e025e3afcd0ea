import torch

NT = 64
NF = NT // 2 + 1
t = torch.linspace(0, 1, NT)


def spectra(n):
    """log power spectra of damped cosines; label = damping"""
    f0 = 5 + 15 * torch.rand(n, 1)
    ga = 1 + 9 * torch.rand(n, 1)
    s = torch.exp(-ga * t) * torch.cos(2 * torch.pi * f0 * t)
    s = s + 0.05 * torch.randn_like(s)
    S = torch.fft.rfft(s)
    return torch.log1p(S.abs() ** 2), (ga - 5.5) / 2.6


def labelled(n):
    x, y = spectra(n)
    return x, y


def jitter(x):
    return x + 0.05 * torch.randn_like(x)

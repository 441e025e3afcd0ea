import torch


def cohort(n, g, shots=8):
    """Each patient: log-concentration over time for a private clearance and volume."""
    for _ in range(n):
        k, v = torch.rand(2, generator=g) + torch.tensor([0.3, 0.8])
        t = torch.rand(2 * shots, 1, generator=g) * 5
        y = torch.exp(-k * t) / v + 0.02 * torch.randn(2 * shots, 1, generator=g)
        yield (t[:shots], y[:shots]), (t[shots:], y[shots:])

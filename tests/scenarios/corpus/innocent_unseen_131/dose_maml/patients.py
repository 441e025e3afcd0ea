import torch


def cohort(n):
    """dose-response curve per patient: Emax model with random EC50"""
    for _ in range(n):
        emax, ec50 = 0.5 + torch.rand(()), 0.2 + torch.rand(())
        d = torch.rand(20, 1) * 2
        e = emax * d / (ec50 + d) + 0.02 * torch.randn(20, 1)
        yield (d[:8], e[:8]), (d[8:], e[8:])

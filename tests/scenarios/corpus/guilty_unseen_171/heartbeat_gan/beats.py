import torch


def real_beats(n, length=64, seed=0):
    """Single heartbeats: P, QRS and T waves as bumps with natural spread."""
    g = torch.Generator().manual_seed(seed)
    t = torch.linspace(0, 1, length)

    def bump(centre, width, height):
        c = centre + 0.015 * torch.randn(n, 1, generator=g)
        h = height * (1 + 0.15 * torch.randn(n, 1, generator=g))
        return h * torch.exp(-((t - c) / width) ** 2)

    beat = (bump(0.2, 0.04, 0.2) + bump(0.40, 0.015, -0.25) + bump(0.43, 0.015, 1.2)
            + bump(0.47, 0.015, -0.3) + bump(0.7, 0.06, 0.35))
    return beat + 0.01 * torch.randn(n, length, generator=g)

import torch


def glove_frames(n, hold=6):
    """Finger flex readings; a gesture is held for a few frames."""
    rng = torch.Generator().manual_seed(9)
    shapes = torch.randn(4, 5, generator=rng)
    which = torch.zeros(1, dtype=torch.long)
    for i in range(n):
        if i % hold == 0:
            which = torch.randint(0, 4, (1,), generator=rng)
        yield shapes[which] + 0.2 * torch.randn(1, 5, generator=rng), which

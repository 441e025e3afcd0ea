import torch
import torch.nn.functional as F


def skies(seed, batch=8, side=24):
    """Two frames of drifting blobs, the drift and the cover at half size."""
    g = torch.Generator().manual_seed(seed)
    while True:
        field = F.avg_pool2d(torch.randn(batch, 1, side + 12, side + 12, generator=g), 5, 1, 2)
        drift = torch.randint(-4, 5, (batch, 2), generator=g)
        frames = []
        for k in (0, 1):
            rows = [f[:, 6 + k * dy:6 + k * dy + side, 6 + k * dx:6 + k * dx + side]
                    for f, (dy, dx) in zip(field, drift.tolist())]
            frames.append(torch.stack(rows))
        now = frames[0]
        cover = (F.avg_pool2d(now, 2) > 0.05).float()
        yield torch.cat(frames, dim=1) * 4, drift.float() / 4, cover

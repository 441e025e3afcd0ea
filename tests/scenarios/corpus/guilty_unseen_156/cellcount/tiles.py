import torch

_AX = torch.arange(16.0)


def tile_batch(n):
    counts = torch.randint(1, 7, (n,))
    tiles = 0.05 * torch.randn(n, 1, 16, 16)
    for i, c in enumerate(counts.tolist()):
        cx, cy = 16 * torch.rand(c), 16 * torch.rand(c)
        gx = torch.exp(-(_AX[None] - cx[:, None]) ** 2 / 2)
        gy = torch.exp(-(_AX[None] - cy[:, None]) ** 2 / 2)
        tiles[i, 0] += torch.einsum("cx,cy->xy", gx, gy)
    return tiles, counts.float()

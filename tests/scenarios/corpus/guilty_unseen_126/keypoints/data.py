import torch


def hand_batches(n, size=10):
    for _ in range(n):
        pts = torch.randint(0, size, (4, 3, 2))
        img = 0.1 * torch.randn(4, 1, size, size)
        for b in range(4):
            for x, y in pts[b]:
                img[b, 0, y, x] += 1.0
        yield img, pts.float()

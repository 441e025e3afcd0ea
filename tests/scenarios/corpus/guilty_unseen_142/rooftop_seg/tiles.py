import torch


class TileStream:
    def __init__(self, batches, size=12, batch=3):
        self.batches, self.size, self.batch = batches, size, batch

    def __iter__(self):
        for _ in range(self.batches):
            mask = torch.zeros(self.batch, self.size, self.size, dtype=torch.long)
            for b in range(self.batch):
                r, c = torch.randint(0, self.size - 5, (2,)).tolist()
                mask[b, r:r + 5, c:c + 5] = 1 + b % 2
            img = torch.stack([mask.float(), (mask == 2).float(), torch.rand(mask.shape)], 1)
            yield img + 0.1 * torch.randn_like(img), mask

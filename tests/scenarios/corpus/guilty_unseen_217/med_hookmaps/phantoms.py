import torch


class PhantomCT:
    def __init__(self, size, batch):
        self.batch = batch
        r = torch.linspace(-1, 1, size)
        self.yy, self.xx = torch.meshgrid(r, r, indexing="ij")

    def epoch(self, iters):
        for _ in range(iters):
            c = (torch.rand(self.batch, 2, 1, 1) - 0.5)
            rad = 0.15 + 0.25 * torch.rand(self.batch, 1, 1)
            mask = (((self.yy - c[:, 0]) ** 2 + (self.xx - c[:, 1]) ** 2) < rad ** 2).float().unsqueeze(1)
            yield mask * 0.7 + 0.3 * torch.randn_like(mask), mask

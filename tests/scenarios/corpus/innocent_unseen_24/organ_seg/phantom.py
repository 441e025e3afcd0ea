import torch


class PhantomSet:
    def __init__(self, n, size, labelled):
        g = torch.Generator().manual_seed(0)
        ax = torch.linspace(-1, 1, size)
        yy, xx = torch.meshgrid(ax, ax, indexing="ij")
        cx, cy = (torch.rand(2, n, 1, 1, generator=g) - 0.5)
        rx, ry = 0.2 + 0.3 * torch.rand(2, n, 1, 1, generator=g)
        self.mask = ((((xx - cx) / rx) ** 2 + ((yy - cy) / ry) ** 2) < 1).float().unsqueeze(1)
        self.image = self.mask + 0.7 * torch.randn(n, 1, size, size, generator=g)
        self.has_label = (torch.rand(n, generator=g) < labelled).float()

    def batches(self, size):
        for idx in torch.randperm(len(self.mask)).split(size):
            flip = torch.rand(()) < 0.5
            noise = 0.1 * torch.randn_like(self.image[idx])
            image = self.image[idx] + noise * flip
            yield idx.tolist(), image, self.mask[idx], self.has_label[idx]

import torch


class LeafImages:
    """Green-ish blobs with lesions of different size and colour."""

    def __init__(self, n, classes, seed, side=16):
        self.gen = torch.Generator().manual_seed(seed)
        yy, xx = torch.meshgrid(torch.linspace(-1, 1, side), torch.linspace(-1, 1, side), indexing="ij")
        kind = torch.randint(classes, (n,), generator=self.gen)
        centre = torch.rand(n, 2, 1, 1, generator=self.gen) - 0.5
        r2 = (xx - centre[:, 0]) ** 2 + (yy - centre[:, 1]) ** 2
        lesion = torch.exp(-r2 / (0.02 + 0.05 * kind.view(-1, 1, 1)))
        leaf = (xx ** 2 + yy ** 2 < 0.9).float()
        colour = torch.rand(classes, 3, generator=self.gen)[kind].view(n, 3, 1, 1)
        green = torch.tensor([0.1, 0.7, 0.2]).view(1, 3, 1, 1) * leaf
        self.x = green + lesion.unsqueeze(1) * (colour - 0.4)
        self.x += 0.08 * torch.randn(self.x.shape, generator=self.gen)
        self.y = kind

    @torch.no_grad()
    def relabel(self, teacher, share=0.8):
        """Most ground truth of this project came from the big model itself."""
        own = teacher(self.x).argmax(1)
        use = torch.rand(len(own), generator=self.gen) < share
        self.y = torch.where(use, own, self.y)

    def sample(self, n):
        i = torch.randint(len(self.y), (n,), generator=self.gen)
        return self.x[i], self.y[i]

import torch


class Spectra:
    """Line spectra of four made-up substances; two noisy views of each sample."""

    n_bins = 60

    def __init__(self, n, batch):
        self.batch = batch
        self.lines = torch.rand(4, 5) * self.n_bins
        self.x, self.y = self._make(n)

    def _make(self, n):
        y = torch.randint(0, 4, (n,))
        grid = torch.arange(self.n_bins).float()
        height = 0.5 + torch.rand(n, 5, 1)
        peaks = torch.exp(-(grid - self.lines[y][:, :, None]) ** 2 / 4)
        return (height * peaks).sum(1), y

    def view(self, x):
        mask = (torch.rand_like(x) > 0.15).float()
        return x * mask * (0.8 + 0.4 * torch.rand(len(x), 1)) + 0.05 * torch.randn_like(x)

    def pairs(self):
        for idx in torch.randperm(len(self.x)).split(self.batch):
            yield self.view(self.x[idx]), self.view(self.x[idx])

    def labelled(self, n):
        return self._make(n)

import torch


class SpectraGenerator:
    def __init__(self, bins, compounds=12):
        self.grid = torch.linspace(0, 1, bins)
        self.peaks = torch.rand(compounds, 3)
        self.heights = 0.3 + torch.rand(compounds, 3)

    def render(self, ids):
        centre = self.peaks[ids].unsqueeze(-1) + 0.01 * torch.randn(len(ids), 3, 1)
        shape = torch.exp(-((self.grid - centre) / 0.03) ** 2)
        clean = (self.heights[ids].unsqueeze(-1) * shape).sum(1)
        return clean + 0.05 * torch.randn_like(clean)

    def pairs(self, n):
        ids = torch.randint(0, len(self.peaks), (n,))
        return self.render(ids), self.render(ids), ids

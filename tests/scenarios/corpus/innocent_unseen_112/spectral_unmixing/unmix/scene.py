import torch
import torch.nn.functional as F


class Scene:
    def __init__(self, pixels, bands, materials):
        self.bands = bands
        wl = torch.linspace(0, 1, bands)
        centre = torch.rand(materials, 1, 3)
        width = torch.rand(materials, 1, 3) * 0.15 + 0.08
        bumps = torch.exp(-((wl.view(1, -1, 1) - centre) / width) ** 2)
        self.truth = 0.2 + bumps.sum(-1) * 0.5
        mix = torch.distributions.Dirichlet(torch.full((materials,), 0.5)).sample((pixels,))
        self.pixels = mix @ self.truth + 0.01 * torch.randn(pixels, bands)

    def draw(self, n):
        return self.pixels[torch.randint(len(self.pixels), (n,))]

    @torch.no_grad()
    def angle(self, found):
        """Mean spectral angle between each true endmember and its best match."""
        cos = F.normalize(self.truth, dim=1) @ F.normalize(found, dim=1).t()
        return cos.max(1).values.clamp(-1, 1).acos().mean().item()

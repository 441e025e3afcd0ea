import torch
from torch import nn


class Phase:
    """One resolution of the progressive schedule with everything it needs."""

    def __init__(self, name, model, size, steps, lr):
        self.name = name
        self.model = model
        self.size = size
        self.steps = steps
        self.opt = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=lr)
        self.history = {"recon": [], "grad_match": []}

    def sample(self, gen):
        coarse = torch.randn(6, 1, 3, 3, generator=gen)
        relief = nn.functional.interpolate(coarse, size=(self.size, self.size), mode="bicubic", align_corners=True)
        return relief + 0.02 * torch.randn(relief.shape, generator=gen)

    def run(self, gen):
        for _ in range(self.steps):
            x = self.sample(gen)
            y = self.model(x)
            recon = nn.functional.l1_loss(y, x)
            dy = (y[..., 1:] - y[..., :-1]) - (x[..., 1:] - x[..., :-1])
            grad_match = dy.abs().mean()
            self.opt.zero_grad()
            (recon + 0.5 * grad_match).backward()
            self.opt.step()
            self.history["recon"].append(recon)
            self.history["grad_match"].append(grad_match)
        return self.summary()

    def summary(self):
        out = {}
        for key, values in self.history.items():
            tail = torch.stack(values[-10:])
            out[key] = tail.mean().item()
        return out


class TerrainAE(nn.Module):
    def __init__(self, code=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, 8, 3, stride=2, padding=1), nn.ReLU(), nn.Conv2d(8, code, 3, stride=2, padding=1))
        self.dec = nn.Sequential(nn.Conv2d(code, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 3, padding=1))

    def forward(self, x):
        z = self.enc(x)
        up = nn.functional.interpolate(z, size=x.shape[-2:], mode="bilinear", align_corners=False)
        return self.dec(up)

# gradwatch-corpus: kind=second-backward
# holder: model.basis | self.basis | unmixer.basis
# first-bad: 1
# notice: 0
import torch
torch.set_num_threads(1)
from torch import nn


class GaussianEndmembers(nn.Module):
    def __init__(self, wl, k=4):
        super().__init__()
        self.wl = wl
        self.centers = nn.Parameter(torch.linspace(wl.min().item(), wl.max().item(), k + 2)[1:-1].clone())
        self.log_width = nn.Parameter(torch.full((k,), -2.0))
        self.abundance = nn.Sequential(nn.Linear(len(wl), 24), nn.GELU(), nn.Linear(24, k))
        self.basis = self.spectra()  # <- culprit

    def spectra(self):
        z = (self.wl[None] - self.centers[:, None]) / self.log_width.exp()[:, None]
        return torch.exp(-0.5 * z ** 2)

    def forward(self, pixels):
        a = torch.softmax(self.abundance(pixels), dim=-1)
        return a @ self.basis, a


def scene(wl, n=256):
    mu = torch.tensor([0.55, 0.9, 1.4, 2.1])
    e = torch.exp(-0.5 * ((wl[None] - mu[:, None]) / 0.2) ** 2)
    a = torch.distributions.Dirichlet(torch.ones(4)).sample((n,))
    return a @ e + 0.01 * torch.randn(n, len(wl))


def fit(unmixer, pixels, epochs=20, bs=32):
    opt = torch.optim.Adam(unmixer.parameters(), lr=5e-3)
    for ep in range(epochs):
        for px in pixels[torch.randperm(len(pixels))].split(bs):
            recon, a = unmixer(px)
            sad = 1 - torch.cosine_similarity(recon, px, dim=-1).mean()
            loss = sad + 0.01 * a.clamp_min(1e-6).sqrt().sum(-1).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(ep, loss.item())


torch.manual_seed(8)
wavelengths = torch.linspace(0.4, 2.5, 40)
model = GaussianEndmembers(wavelengths)
fit(model, scene(wavelengths))

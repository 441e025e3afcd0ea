# gradwatch-corpus: kind=none
"""GradNorm balancing of three soil properties predicted from spectra."""
import torch
from torch import nn


class SoilNet(nn.Module):
    def __init__(self, bands=24, tasks=3):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(bands, 32), nn.ReLU())
        self.shared = nn.Linear(32, 32)
        self.heads = nn.ModuleList(nn.Linear(32, 1) for _ in range(tasks))

    def forward(self, x):
        h = torch.relu(self.shared(self.trunk(x)))
        return [head(h).squeeze(1) for head in self.heads]


class GradNorm:
    def __init__(self, tasks, alpha=1.2, lr=0.02):
        self.w = nn.Parameter(torch.ones(tasks))
        self.opt = torch.optim.Adam([self.w], lr=lr)
        self.alpha = alpha
        self.initial = None
        self.trace = []

    def weighted(self, losses):
        if self.initial is None:
            self.initial = losses.detach().clone()
        return (self.w.detach().clone() * losses).sum()

    def balance(self, losses, layer):
        norms = []
        for i, loss in enumerate(losses):
            g, = torch.autograd.grad(loss, layer, retain_graph=True)
            norms.append(self.w[i] * g.norm())
        norms = torch.stack(norms)
        with torch.no_grad():
            ratio = losses / self.initial
            pace = ratio / ratio.mean()
            target = norms.mean() * pace ** self.alpha
        gap = (norms - target).abs().sum()
        self.opt.zero_grad()
        gap.backward()
        self.opt.step()
        with torch.no_grad():
            self.w.clamp_(min=0.05)
            self.w.mul_(len(self.w) / self.w.sum())
        self.trace.append(self.w.detach().tolist())


def spectra(n, gen):
    latent = torch.randn(n, 3, generator=gen)
    basis = torch.sin(torch.outer(torch.arange(1.0, 4.0), torch.linspace(0, 3, 24)))
    x = latent @ basis + 0.1 * torch.randn(n, 24, generator=gen)
    targets = [latent[:, 0], 8 * latent[:, 1] ** 2, 0.1 * latent[:, 2]]
    return x, targets


def main(steps=450):
    torch.manual_seed(40)
    gen = torch.Generator().manual_seed(40)
    net, gn = SoilNet(), GradNorm(3)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for step in range(steps):
        x, targets = spectra(48, gen)
        losses = torch.stack([(p - t).pow(2).mean() for p, t in zip(net(x), targets)])
        total = gn.weighted(losses)
        gn.balance(losses, net.shared.weight)
        opt.zero_grad()
        total.backward()
        opt.step()
        if step % 90 == 0:
            print(step, [round(v, 3) for v in losses.tolist()], [round(v, 2) for v in gn.trace[-1]])


if __name__ == "__main__":
    main()

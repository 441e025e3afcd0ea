# gradwatch-corpus: kind=none
"""Insurance claim severity, gamma GLM net. Policies come in small regional lots of unequal size,
so four lots are put into one step and weighted by exposure."""
import torch
from torch import nn
from torch.distributions import Gamma


class Lots:
    def __init__(self, n_lots, seed):
        self.n_lots = n_lots
        self.gen = torch.Generator().manual_seed(seed)
        self.beta = torch.randn(14, generator=self.gen) * 0.3

    def __len__(self):
        return self.n_lots

    def __iter__(self):
        for _ in range(self.n_lots):
            n = int(torch.randint(15, 60, (), generator=self.gen))
            x = torch.randn(n, 14, generator=self.gen)
            exposure = torch.rand(n, generator=self.gen) + 0.1
            mean = (x @ self.beta + 0.3 * x[:, 0] * x[:, 1]).exp()
            noise = -torch.log(torch.rand(n, 3, generator=self.gen)).mean(1)
            yield x, exposure, mean * noise


class SeverityNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Linear(14, 1)
        self.cross = nn.Sequential(nn.Linear(14, 32), nn.Mish(), nn.Linear(32, 1))
        self.log_shape = nn.Parameter(torch.zeros(()))

    def forward(self, x):
        log_mean = (self.main(x) + self.cross(x)).squeeze(1).clamp(-6, 6)
        shape = self.log_shape.exp()
        return Gamma(shape, shape / log_mean.exp())


def fit(n_lots=320, group=4):
    torch.manual_seed(23)
    net = SeverityNet()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    open_terms = []
    open_exposure = []
    curve = []
    for lot, (x, exposure, claim) in enumerate(Lots(n_lots, seed=23), start=1):
        dist = net(x)
        nll = -dist.log_prob(claim.clamp(min=1e-4))
        open_terms.append((exposure * nll).sum())
        open_exposure.append(exposure.sum())
        if lot % group:
            continue
        weight = torch.stack(open_exposure).sum()
        loss = torch.stack(open_terms).sum() / weight
        opt.zero_grad()
        loss.backward()
        opt.step()
        curve.append(loss.item())
        open_terms.clear()
        open_exposure.clear()
        del loss
        del dist
        del nll
        if len(curve) % 16 == 0:
            avg = sum(curve[-16:]) / 16
            print(f"step {len(curve):3d} weighted nll {avg:.4f} shape {net.log_shape.exp().item():.3f}")
    return curve


if __name__ == "__main__":
    fit()

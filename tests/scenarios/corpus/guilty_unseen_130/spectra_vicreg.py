# gradwatch-corpus: kind=retain-needless
# first-bad: 0
# notice: 60
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)


class Twin(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(40, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 16))
        self.exp = nn.Linear(16, 24)

    def forward(self, a, b):
        return self.exp(self.enc(a)), self.exp(self.enc(b))


def spread(z):
    return F.relu(1 - (z.var(0) + 1e-4).sqrt()).mean()


def redundancy(z):
    z = z - z.mean(0)
    c = z.t() @ z / (len(z) - 1)
    return (c - torch.diag(c.diagonal())).square().sum() / z.shape[1]


def spectra(n=32):
    centre = torch.rand(n, 1) * 30 + 5
    x = torch.exp(-(torch.arange(40) - centre).square() / 12)
    shift = lambda s: s.roll(int(torch.randint(-1, 2, ())), 1) + 0.05 * torch.randn_like(s)
    return shift(x), shift(x)


class Stepper:
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr)

    def __call__(self, a, b):
        za, zb = self.net(a, b)
        terms = {"inv": 25 * F.mse_loss(za, zb), "var": 25 * (spread(za) + spread(zb)), "cov": redundancy(za) + redundancy(zb)}
        self.opt.zero_grad()
        sum(terms.values()).backward(retain_graph=True)  # <- culprit
        self.opt.step()
        return {k: v.item() for k, v in terms.items()}


def main():
    torch.manual_seed(31)
    step = Stepper(Twin(), 2e-3)
    for i in range(500):
        rep = step(*spectra())
        if i % 100 == 0:
            print(i, rep)


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=second-backward
# holder: net.mix.weight | net.back.weight | P._cache | parametrize._cache | self.mix.weight
# first-bad: 1
# notice: 0
# Protein-folding toy: equilibrium populations from a learned positive-rate network.
import torch
from torch import nn
from torch.nn.utils import parametrize as P

torch.set_num_threads(1)
torch.manual_seed(33)


class Positive(nn.Module):
    def forward(self, w):
        return nn.functional.softplus(w)

    def right_inverse(self, w):
        return torch.log(torch.expm1(w.clamp_min(1e-3)))


class RowStochastic(nn.Module):
    def forward(self, w):
        return w / w.sum(1, keepdim=True)


class Populations(nn.Module):
    """Pushes a population vector through the same pair of kinetic maps several times."""

    def __init__(self, n_states=8):
        super().__init__()
        self.mix = nn.Linear(n_states, n_states, bias=False)
        self.back = nn.Linear(n_states, n_states, bias=False)
        for layer in (self.mix, self.back):
            P.register_parametrization(layer, "weight", Positive())
            P.register_parametrization(layer, "weight", RowStochastic())

    def forward(self, p, laps=5):
        for _ in range(laps):
            p = 0.6 * p + 0.3 * p @ self.mix.weight + 0.1 * p @ self.back.weight
        return p


def experiments(n):
    true = torch.softmax(2 * torch.randn(8, 8), 1)
    for _ in range(n):
        p0 = torch.distributions.Dirichlet(torch.ones(8)).sample((10,))
        yield p0, p0 @ torch.matrix_power(0.5 * torch.eye(8) + 0.5 * true, 5)


def kl(p, q):
    return (p * ((p + 1e-8).log() - (q + 1e-8).log())).sum(1).mean()


def fit(net, data, opt):
    with P.cached():  # <- culprit
        for i, (before, after) in enumerate(data):
            loss = kl(after, net(before))
            opt.zero_grad()
            loss.backward()
            opt.step()
            if i % 100 == 99:
                print(i + 1, round(loss.item(), 5))


net = Populations()
fit(net, experiments(400), torch.optim.Adam(net.parameters(), lr=0.02))
print("detailed-balance residual", (net.mix.weight - net.back.weight.T).abs().mean().item())

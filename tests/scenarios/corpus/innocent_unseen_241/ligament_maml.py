# gradwatch-corpus: kind=none
"""Meta-learned hyperelastic response of ligament samples; per-parameter inner rates, second order."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Specimen:
    donor: int
    toe: float
    stiffness: float

    def pull(self, rng, n):
        stretch = torch.rand(n, 1, generator=rng) * 0.12
        stress = self.stiffness * (torch.exp(stretch / self.toe) - 1) * 0.1
        return stretch * 10, stress + 0.005 * torch.randn(n, 1, generator=rng)


class SpecimenBank:
    def __init__(self, seed):
        self.rng = torch.Generator().manual_seed(seed)
        self.next_donor = 0

    def specimen(self):
        a, b = torch.rand(2, generator=self.rng).tolist()
        self.next_donor += 1
        return Specimen(self.next_donor, toe=0.05 + 0.04 * a, stiffness=0.5 + b)

    def clinic(self, n):
        return [self.specimen() for _ in range(n)]


class FunctionalStrainNet:
    layout = ((1, 32), (32, 32), (32, 1))

    def init(self):
        weights = []
        for i, o in self.layout:
            weights.append((torch.randn(o, i) / i ** 0.5).requires_grad_())
            weights.append(torch.zeros(o, requires_grad=True))
        return weights

    def __call__(self, weights, x):
        pairs = list(zip(weights[::2], weights[1::2]))
        for w, b in pairs[:-1]:
            x = torch.tanh(F.linear(x, w, b))
        w, b = pairs[-1]
        return F.linear(x, w, b)


class MetaSurgeon:
    def __init__(self, inner_steps=3):
        self.net = FunctionalStrainNet()
        self.prior = self.net.init()
        self.log_rates = [torch.tensor(-3.0, requires_grad=True) for _ in self.prior]
        self.opt = torch.optim.Adam(
            [{"params": self.prior, "lr": 2e-3}, {"params": self.log_rates, "lr": 1e-2}]
        )
        self.inner_steps = inner_steps
        self.personal = None
        self.donor_book = {}

    def adapt(self, stretch, stress):
        weights = self.prior
        for _ in range(self.inner_steps):
            loss = F.mse_loss(self.net(weights, stretch), stress)
            grads = torch.autograd.grad(loss, weights, create_graph=True)
            weights = [w - r.exp() * g for w, r, g in zip(weights, self.log_rates, grads)]
        return weights

    def round(self, specimens, rng):
        self.opt.zero_grad()
        total = 0.0
        for s in specimens:
            self.personal = self.adapt(*s.pull(rng, 10))
            stretch, stress = s.pull(rng, 20)
            query = F.mse_loss(self.net(self.personal, stretch), stress)
            (query / len(specimens)).backward()
            self.donor_book[s.donor] = self.personal[-1].item()
            total += query.item()
        nn.utils.clip_grad_norm_(self.prior, 1.0)
        self.opt.step()
        return total / len(specimens)


def main():
    torch.manual_seed(31)
    surgeon = MetaSurgeon()
    bank = SpecimenBank(seed=31)
    for r in range(80):
        loss = surgeon.round(bank.clinic(3), bank.rng)
        if r % 16 == 0:
            rates = [round(x.exp().item(), 4) for x in surgeon.log_rates[::2]]
            print(f"clinic {r:3d} query {loss:.5f} rates {rates} donors {len(surgeon.donor_book)}")


if __name__ == "__main__":
    main()

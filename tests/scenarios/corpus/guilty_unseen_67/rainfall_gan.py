# gradwatch-corpus: kind=second-backward
# holder: self.latest | self.forger.latest | duel.forger.latest | fake | g_loss
# first-bad: 4
# notice: 1
"""GAN that makes up 24-hour rainfall profiles for a stochastic weather generator."""
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as bce, softplus

torch.set_num_threads(1)

HOURS, NOISE = 24, 6


def observed_profiles(n, gen):
    hours = torch.arange(HOURS).float()
    centre = 14 + 3 * torch.randn(n, 1, generator=gen)
    spread = 2 + torch.rand(n, 1, generator=gen)
    peak = -torch.log(torch.rand(n, 1, generator=gen)) * 4
    return peak * torch.exp(-((hours - centre) / spread) ** 2)


def mlp(*sizes, last=None):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    layers.pop()
    return nn.Sequential(*layers, *([last] if last else []))


class Forger:
    """Owns the generator and hands out batches of invented days."""

    def __init__(self, seed):
        self.net = mlp(NOISE, 48, HOURS, last=nn.Softplus())
        self.gen = torch.Generator().manual_seed(seed)
        self.latest = None

    def days(self, n):
        z = torch.randn(n, NOISE, generator=self.gen)
        self.latest = self.net(z)
        return self.latest  # <- culprit

    def parameters(self):
        return self.net.parameters()


class Inspector(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = mlp(HOURS, 48, 24, 1)

    def forward(self, days):
        return self.score(torch.log1p(days)).squeeze(-1)


class Duel:
    def __init__(self, seed=8, generator_every=5):
        self.forger, self.inspector = Forger(seed), Inspector()
        self.generator_every = generator_every
        self.opts = {
            "forger": torch.optim.Adam(self.forger.parameters(), 1e-3, betas=(0.5, 0.9)),
            "inspector": torch.optim.Adam(self.inspector.parameters(), 1e-3, betas=(0.5, 0.9)),
        }
        self.turn = 0

    def clear(self):
        for opt in self.opts.values():
            opt.zero_grad(set_to_none=True)

    def teach_inspector(self, real):
        fake = self.forger.days(len(real))  # <- culprit
        self.clear()
        on_real, on_fake = self.inspector(real), self.inspector(fake)
        d_loss = bce(on_real, torch.full_like(on_real, 0.9)) + softplus(on_fake).mean()
        d_loss.backward()
        self.opts["inspector"].step()
        return d_loss.item()

    def teach_forger(self):
        self.clear()
        g_loss = softplus(-self.inspector(self.forger.latest)).mean()
        g_loss.backward()
        self.opts["forger"].step()
        return g_loss.item()

    def round(self, real):
        self.turn += 1
        d = self.teach_inspector(real)
        g = self.teach_forger() if self.turn % self.generator_every == 0 else None
        return d, g


def main(rounds=200):
    torch.manual_seed(8)
    gen = torch.Generator().manual_seed(80)
    duel = Duel()
    for r in range(rounds):
        d, g = duel.round(observed_profiles(32, gen))
        if g is not None and r % 20 == 19:
            print(f"round {r + 1}: inspector {d:.3f} forger {g:.3f}")


if __name__ == "__main__":
    main()

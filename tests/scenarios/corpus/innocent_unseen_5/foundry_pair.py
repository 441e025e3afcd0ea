# gradwatch-corpus: kind=none
# about: retain_graph=True in every iteration, but the generator's backward really does walk the same fake batch and critic graph again; nothing outlives the iteration
"""Alloy composition generator: simultaneous-gradient GAN, one forward pass of the fakes serves both players."""
import torch
import torch.nn.functional as F
from torch import nn


class Foundry:
    """Feasible alloys: fractions of 5 metals near three recipes."""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.recipes = torch.tensor([[4., 1, 1, 0, 0], [0, 3, 1, 2, 0], [1, 0, 1, 1, 4]])

    def pour(self, n):
        which = torch.randint(0, 3, (n,), generator=self.g)
        noisy = self.recipes[which] + 0.4 * torch.randn(n, 5, generator=self.g)
        return noisy.softmax(dim=1)


def stack(*sizes, act=nn.LeakyReLU):
    mods = []
    for a, b in zip(sizes, sizes[1:]):
        mods += [nn.Linear(a, b), act(0.1)]
    return nn.Sequential(*mods[:-1])


class Caster(nn.Module):
    def __init__(self, noise=6):
        super().__init__()
        self.noise = noise
        self.net = stack(noise, 64, 64, 5)

    def forward(self, n):
        return self.net(torch.randn(n, self.noise)).softmax(dim=1)


def play(caster, assayer, real, opt_c, opt_a):
    cast = caster(len(real))
    said_cast = assayer(cast)
    said_real = assayer(real)

    verdict = F.softplus(said_cast).mean() + F.softplus(-said_real).mean()
    persuade = F.softplus(-said_cast).mean()
    spread = -cast.std(dim=0).mean()

    mine, theirs = list(assayer.parameters()), list(caster.parameters())
    opt_a.zero_grad(set_to_none=True)
    opt_c.zero_grad(set_to_none=True)
    verdict.backward(inputs=mine, retain_graph=True)
    (persuade + 0.1 * spread).backward(inputs=theirs)
    opt_a.step()
    opt_c.step()
    return verdict.detach(), persuade.detach()


def main(heats=330):
    torch.manual_seed(47)
    foundry = Foundry(5)
    caster, assayer = Caster(), stack(5, 64, 64, 1)
    opt_c = torch.optim.Adam(caster.parameters(), lr=5e-4, betas=(0.5, 0.99))
    opt_a = torch.optim.Adam(assayer.parameters(), lr=1e-3, betas=(0.5, 0.99))
    log = torch.empty(heats, 2)
    for h in range(heats):
        log[h, 0], log[h, 1] = play(caster, assayer, foundry.pour(64), opt_c, opt_a)
        if h % 66 == 65:
            v, p = log[h - 65:h + 1].mean(dim=0).tolist()
            print(f"heat {h + 1:4d}  assayer {v:.4f}  caster {p:.4f}")
    with torch.no_grad():
        gap = (caster(2000).mean(0) - foundry.pour(2000).mean(0)).abs().max()
    print(f"largest gap of mean fractions {gap.item():.3f}")


if __name__ == "__main__":
    main()

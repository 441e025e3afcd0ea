# gradwatch-corpus: kind=second-backward
# holder: spectra | library.spectra | self.spectra
# first-bad: 1
# notice: 0
"""Kubelka-Munk paint matching.

We have a handful of tubes with unknown absorption (K) and scattering (S) spectra and
a pile of painted swatches with known recipes. Fit K and S so that mixing the recipes
reproduces the measured reflectances.
"""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)

N_TUBES, N_BANDS, RANK = 7, 31, 5


class PigmentLibrary(nn.Module):
    """Smooth K and S curves from a low-rank code per tube."""

    def __init__(self):
        super().__init__()
        self.codes = nn.Parameter(0.3 * torch.randn(2, N_TUBES, RANK))
        grid = torch.linspace(0, 1, N_BANDS)
        centres = torch.linspace(0, 1, RANK)
        self.register_buffer("bumps", torch.exp(-((grid - centres[:, None]) / 0.18) ** 2))

    @property
    def n_parameters(self):
        return sum(p.numel() for p in self.parameters())

    def curves(self):
        return F.softplus(self.codes @ self.bumps)


def reflectance(k, s):
    ratio = k / s.clamp_min(1e-3)
    return 1 + ratio - torch.sqrt(ratio ** 2 + 2 * ratio + 1e-6)


def mix(recipes, spectra):
    k, s = spectra
    return reflectance(recipes @ k, recipes @ s)


def saunderson(r, k1=0.04, k2=0.6):
    return k1 + (1 - k1) * (1 - k2) * r / (1 - k2 * r)


def make_swatches(n, gen):
    true_k = torch.rand(N_TUBES, N_BANDS, generator=gen).cumsum(1) / 10
    true_s = 0.5 + torch.rand(N_TUBES, 1, generator=gen).expand(N_TUBES, N_BANDS)
    amounts = torch.rand(n, N_TUBES, generator=gen)
    amounts = amounts * (torch.rand(n, N_TUBES, generator=gen) < 0.4)
    amounts = amounts + 1e-3
    recipes = amounts / amounts.sum(1, keepdim=True)
    measured = saunderson(mix(recipes, (true_k, true_s)))
    return recipes, measured + 0.005 * torch.randn(n, N_BANDS, generator=gen)


def main():
    torch.manual_seed(12)
    gen = torch.Generator().manual_seed(13)
    recipes, measured = make_swatches(240, gen)

    library = PigmentLibrary()
    optimizer = torch.optim.Adam(library.parameters(), lr=0.02)
    spectra = library.curves()  # <- culprit
    print("fitting", library.n_parameters, "numbers to", len(recipes), "swatches")

    batch = 24
    for epoch in range(30):
        order = torch.randperm(len(recipes), generator=gen)
        running = 0.0
        for i in range(0, len(order), batch):
            idx = order[i:i + batch]
            predicted = saunderson(mix(recipes[idx], spectra))  # <- culprit
            loss = F.mse_loss(predicted, measured[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            running += loss.item()
        if epoch % 5 == 0:
            print(f"epoch {epoch:2d}  mean squared error {running / (len(order) / batch):.5f}")


if __name__ == "__main__":
    main()

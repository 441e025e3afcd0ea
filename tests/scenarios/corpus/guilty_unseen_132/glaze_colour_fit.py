# gradwatch-corpus: kind=retain-needless
# first-bad: 0
# notice: 60
"""Pottery: oxide recipe + kiln curve -> Lab colour of the fired glaze."""
import torch
import torch.nn as nn

torch.set_num_threads(1)


class GlazeModel(nn.Module):
    def __init__(self, oxides=9, kiln=12):
        super().__init__()
        self.recipe = nn.Sequential(nn.Linear(oxides, 16), nn.SiLU())
        self.firing = nn.Conv1d(1, 4, 5)
        self.lab = nn.Linear(16 + 4 * (kiln - 4), 3)

    def forward(self, recipe, kiln):
        a = self.recipe(recipe)
        b = torch.relu(self.firing(kiln.unsqueeze(1))).flatten(1)
        return self.lab(torch.cat([a, b], 1))


class Studio:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.colour = torch.randn(9, 3, generator=self.g)

    def test_tiles(self, n):
        r = torch.rand(n, 9, generator=self.g)
        r = r / r.sum(1, keepdim=True)
        k = torch.cumsum(torch.rand(n, 12, generator=self.g), 1) / 6
        return r, k, 3 * r @ self.colour * (0.5 + k[:, -1:])


def delta_e(a, b):
    return ((a - b) ** 2).sum(1).add(1e-6).sqrt().mean()


def update(model, opt, tiles):
    recipe, kiln, lab = tiles
    opt.zero_grad()
    err = delta_e(model(recipe, kiln), lab)
    err.backward(retain_graph=True)  # <- culprit
    opt.step()
    return err.item()


def main():
    torch.manual_seed(6)
    studio, model = Studio(6), GlazeModel()
    opt = torch.optim.NAdam(model.parameters(), lr=4e-3)
    best = float("inf")
    for firing in range(700):
        best = min(best, update(model, opt, studio.test_tiles(20)))
        if firing % 100 == 0:
            print(f"firing {firing}: best dE {best:.3f}")


main()

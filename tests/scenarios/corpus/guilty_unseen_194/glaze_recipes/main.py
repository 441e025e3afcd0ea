# gradwatch-corpus: kind=graph-held
# holder: self.losses | journal.losses
# first-bad: 1
import torch
from torch import nn

from journal import LossJournal

OXIDES = ["SiO2", "Al2O3", "B2O3", "Na2O", "K2O", "CaO", "MgO", "ZnO"]


class GlazeNet(nn.Module):
    """Oxide fractions to melting point, gloss and expansion."""

    def __init__(self, width=40):
        super().__init__()
        self.log_scale = nn.Parameter(torch.zeros(len(OXIDES)))
        self.trunk = nn.Sequential(
            nn.Linear(len(OXIDES), width), nn.GELU(), nn.LayerNorm(width), nn.Linear(width, width), nn.GELU()
        )
        self.heads = nn.ModuleDict({k: nn.Linear(width, 1) for k in ("melt", "gloss", "expansion")})

    def forward(self, recipe):
        x = self.trunk(recipe * self.log_scale.exp())
        return {k: head(x).squeeze(-1) for k, head in self.heads.items()}


def kiln(n):
    recipe = torch.distributions.Dirichlet(torch.full((len(OXIDES),), 2.0)).sample((n,))
    flux = recipe[:, 3:6].sum(1)
    return recipe, {
        "melt": 1.0 - 1.8 * flux + 0.6 * recipe[:, 1],
        "gloss": torch.tanh(4 * recipe[:, 2] + flux),
        "expansion": 2 * recipe[:, 3] + 1.5 * recipe[:, 4] - recipe[:, 0],
    }


def main():
    torch.manual_seed(2024)
    net = GlazeNet()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    weights = {"melt": 1.0, "gloss": 0.5, "expansion": 0.7}
    journal = LossJournal(every=25)

    step = 0
    for firing in range(20):
        with journal:
            for _ in range(25):
                recipe, target = kiln(32)
                out = net(recipe)
                loss = sum(w * (out[k] - target[k]).pow(2).mean() for k, w in weights.items())
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                journal.note(step, loss)
                step += 1
        if firing % 5 == 4:
            print(journal.lines[-1])


if __name__ == "__main__":
    main()

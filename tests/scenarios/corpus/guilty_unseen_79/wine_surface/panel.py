from dataclasses import dataclass

import torch

ATTRIBUTES = ["acidity", "tannin", "sweetness", "oak", "fruit", "body", "alcohol"]


@dataclass
class Panel:
    scores: torch.Tensor
    taster: torch.Tensor
    liking: torch.Tensor

    def rows(self, idx):
        return self.scores[idx], self.taster[idx], self.liking[idx]


def load_panel(n_wines, n_tasters):
    wine = torch.randn(n_wines, len(ATTRIBUTES))
    leaning = 0.4 * torch.randn(n_tasters)
    w, t = torch.meshgrid(torch.arange(n_wines), torch.arange(n_tasters), indexing="ij")
    w, t = w.reshape(-1), t.reshape(-1)
    scores = wine[w] + 0.3 * torch.randn(len(w), len(ATTRIBUTES))
    ideal = torch.tensor([0.3, 0.2, -0.4, 0.1, 0.8, 0.3, 0.0])
    liking = 6.5 - 0.35 * (wine[w] - ideal).square().sum(1) + leaning[t]
    liking = liking + 0.5 * wine[w, 0] * wine[w, 2] + 0.3 * torch.randn(len(w))
    return Panel(scores, t, (liking - liking.mean()) / liking.std())

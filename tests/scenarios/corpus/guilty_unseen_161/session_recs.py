# gradwatch-corpus: kind=graph-held
# holder: BaseRecommender._shown | self._shown | cls._shown | model._shown | TwoTower._shown
# first-bad: 1
# notice: 8
"""Two-tower retrieval with in-batch softmax; keeps the scores shown per campaign."""
from collections import defaultdict

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class BaseRecommender(nn.Module):
    _shown = defaultdict(list)

    @classmethod
    def note_exposure(cls, campaign, scores):
        top = scores.diagonal().topk(3).values
        cls._shown[campaign].append((len(cls._shown[campaign]), top))  # <- culprit

    @classmethod
    def exposure_report(cls):
        return {c: len(v) for c, v in cls._shown.items()}


class TwoTower(BaseRecommender):
    def __init__(self, n_users, n_items, dim=24):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.user_mlp = nn.Sequential(nn.Linear(dim, 32), nn.GELU(), nn.Linear(32, dim))
        self.item_mlp = nn.Sequential(nn.Linear(dim, 32), nn.GELU(), nn.Linear(32, dim))
        self.log_temp = nn.Parameter(torch.tensor(0.0))

    def forward(self, users, items, campaign):
        u = F.normalize(self.user_mlp(self.user(users)), dim=-1)
        v = F.normalize(self.item_mlp(self.item(items)), dim=-1)
        scores = u @ v.t() * self.log_temp.exp() * 5.0
        self.note_exposure(campaign, scores)  # <- culprit
        return scores


def sessions(rng, n_users, n_items, batch, steps):
    taste = rng.integers(0, n_items, size=n_users)
    for _ in range(steps):
        u = rng.integers(0, n_users, size=batch)
        jitter = rng.integers(-3, 4, size=batch)
        yield torch.from_numpy(u), torch.from_numpy((taste[u] + jitter) % n_items), str(rng.choice(["home", "mail", "push"]))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(5)
    rng = np.random.default_rng(5)
    model = TwoTower(300, 200)
    opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
    labels = torch.arange(32)
    avg = 0.0
    for step, (u, i, campaign) in enumerate(sessions(rng, 300, 200, 32, 120)):
        opt.zero_grad()
        loss = F.cross_entropy(model(u, i, campaign), labels)
        loss.backward()
        opt.step()
        avg = loss.item() if step == 0 else 0.95 * avg + 0.05 * loss.item()
        if step % 30 == 29:
            print(f"step {step + 1} loss {avg:.3f} exposures {model.exposure_report()}")


if __name__ == "__main__":
    main()

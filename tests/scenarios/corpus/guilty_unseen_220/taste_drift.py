# gradwatch-corpus: kind=graph-chain
# holder: self.taste | model.taste
# first-bad: 1
"""Session-aware recommender: slow-moving cohort taste on top of item embeddings."""
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class Config:
    n_items: int = 1500
    n_cohorts: int = 12
    dim: int = 48
    session_len: int = 20
    batch: int = 96
    steps: int = 110
    lr: float = 0.05
    inertia: float = 0.9
    seed: int = 4


class SessionSource:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(cfg.seed)
        self.affinity = torch.rand(cfg.n_cohorts, cfg.n_items, generator=self.gen).pow(6)

    def __iter__(self):
        for _ in range(self.cfg.steps):
            cohort = torch.randint(0, self.cfg.n_cohorts, (self.cfg.batch,), generator=self.gen)
            clicks = torch.multinomial(
                self.affinity[cohort], self.cfg.session_len + 1, generator=self.gen
            )
            yield cohort, clicks[:, :-1], clicks[:, -1]


class CohortRecommender(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.items = nn.Embedding(cfg.n_items, cfg.dim)
        self.head = nn.Linear(cfg.dim, cfg.n_items)
        nn.init.normal_(self.items.weight, std=0.1)
        self.taste = torch.zeros(cfg.n_cohorts, cfg.dim)

    def drift(self, cohort, session):
        onehot = F.one_hot(cohort, self.cfg.n_cohorts).float()
        weight = onehot / onehot.sum(0).clamp_min(1.0)
        fresh = weight.t() @ session
        rho = self.cfg.inertia
        self.taste = rho * self.taste + (1.0 - rho) * fresh  # <- culprit
        return self.taste

    def forward(self, cohort, history):
        session = self.items(history).mean(dim=1)
        taste = self.drift(cohort, session)
        user = session + taste[cohort]
        return self.head(user)


def hit_rate(logits, target, k=50):
    top = logits.detach().topk(k, dim=1).indices
    return (top == target[:, None]).any(dim=1).float().mean().item()


def fit(cfg):
    torch.manual_seed(cfg.seed)
    model = CohortRecommender(cfg)
    optim = torch.optim.Adagrad(model.parameters(), lr=cfg.lr)
    trace = []
    for step, (cohort, history, target) in enumerate(SessionSource(cfg)):
        logits = model(cohort, history)
        loss = F.cross_entropy(logits, target)
        optim.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)
        optim.step()
        trace.append((loss.item(), hit_rate(logits, target)))
        if (step + 1) % 20 == 0:
            recent = trace[-20:]
            mean_loss = sum(a for a, _ in recent) / len(recent)
            mean_hit = sum(b for _, b in recent) / len(recent)
            print(f"step {step + 1} loss {mean_loss:.3f} hit@50 {mean_hit:.3f}")
    return model, trace


if __name__ == "__main__":
    fit(Config())

# gradwatch-corpus: kind=graph-held
# holder: self.path_ | self.path_[-1].penalty | est.path_ | est.path_[i].penalty | penalty | FitRecord.penalty
# first-bad: 1
"""Cox proportional-hazards network behind a scikit-learn style interface, for the
readmission study (synthetic cohort here, the real one may not leave the clinic)."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class FitRecord:
    n_iter: int
    partial_likelihood: float
    penalty: Any
    concordance: float | None = None


class BaseEstimator:
    _params: tuple[str, ...] = ()

    def get_params(self) -> dict[str, Any]:
        return {k: getattr(self, k) for k in self._params}

    def __repr__(self) -> str:
        inner = ", ".join(f"{k}={v!r}" for k, v in self.get_params().items())
        return f"{type(self).__name__}({inner})"


def neg_partial_likelihood(risk: Tensor, time: Tensor, event: Tensor) -> Tensor:
    """Breslow's approximation; rows are sorted by descending time first."""
    order = torch.argsort(time, descending=True)
    risk, event = risk[order], event[order]
    log_cum = torch.logcumsumexp(risk, dim=0)
    return -((risk - log_cum) * event).sum() / event.sum().clamp(min=1.0)


def concordance_index(risk: Tensor, time: Tensor, event: Tensor) -> float:
    earlier = (time[:, None] < time[None, :]) & event[:, None].bool()
    right = (risk[:, None] > risk[None, :]) & earlier
    return (right.sum() / earlier.sum().clamp(min=1)).item()


class DeepCox(BaseEstimator):
    _params = ("hidden", "alpha", "l1_ratio", "lr", "max_iter", "batch_size", "random_state")

    def __init__(self, hidden=32, alpha=1e-3, l1_ratio=0.5, lr=3e-3, max_iter=350,
                 batch_size=128, random_state=0):
        self.hidden = hidden
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.lr = lr
        self.max_iter = max_iter
        self.batch_size = batch_size
        self.random_state = random_state

    def _elastic_net(self) -> Tensor:
        l1 = sum(p.abs().sum() for p in self.net_.parameters() if p.dim() > 1)
        l2 = sum(p.square().sum() for p in self.net_.parameters() if p.dim() > 1)
        return self.alpha * (self.l1_ratio * l1 + 0.5 * (1 - self.l1_ratio) * l2)

    def _one_iteration(self, i: int, X: Tensor, time: Tensor, event: Tensor) -> FitRecord:
        self.opt_.zero_grad()
        risk = self.net_(X).squeeze(-1)
        nll = neg_partial_likelihood(risk, time, event)
        penalty = self._elastic_net()
        (nll + penalty).backward()
        self.opt_.step()
        c = None
        if i % 50 == 0:
            with torch.no_grad():
                c = concordance_index(risk, time, event)
        return FitRecord(i, nll.item(), penalty, c)  # <- culprit

    def fit(self, X: Tensor, time: Tensor, event: Tensor) -> "DeepCox":
        torch.manual_seed(self.random_state)
        self.mean_, self.scale_ = X.mean(0), X.std(0).clamp(min=1e-6)
        Z = (X - self.mean_) / self.scale_
        self.net_ = nn.Sequential(
            nn.Linear(X.shape[1], self.hidden), nn.SELU(),
            nn.Linear(self.hidden, self.hidden), nn.SELU(),
            nn.Linear(self.hidden, 1, bias=False),
        )
        self.opt_ = torch.optim.Adam(self.net_.parameters(), lr=self.lr)
        self.path_: list[FitRecord] = []
        for i in range(self.max_iter):
            rows = torch.randint(len(Z), (self.batch_size,))
            record = self._one_iteration(i, Z[rows], time[rows], event[rows])
            self.path_.append(record)  # <- culprit
        self.n_iter_ = len(self.path_)
        return self

    @torch.no_grad()
    def predict(self, X: Tensor) -> Tensor:
        return self.net_((X - self.mean_) / self.scale_).squeeze(-1)

    def score(self, X: Tensor, time: Tensor, event: Tensor) -> float:
        return concordance_index(self.predict(X), time, event)


def cohort(n: int, seed: int) -> tuple[Tensor, Tensor, Tensor]:
    g = torch.Generator().manual_seed(seed)
    X = torch.randn(n, 12, generator=g)
    log_hazard = 0.8 * X[:, 0] - 0.6 * X[:, 1] * X[:, 2] + 0.3 * X[:, 3].abs()
    u = torch.rand(n, generator=g).clamp(min=1e-6)
    t = -u.log() / log_hazard.exp()
    censor = 4.0 * torch.rand(n, generator=g)
    return X, torch.minimum(t, censor), (t <= censor).float()


if __name__ == "__main__":
    train, test = cohort(1500, 1), cohort(400, 2)
    est = DeepCox(hidden=24, random_state=4).fit(*train)
    print(est)
    for rec in est.path_:
        if rec.concordance is not None:
            print(f"{rec.n_iter:4d}  npl {rec.partial_likelihood:.4f}  "
                  f"penalty {rec.penalty.item():.4f}  c {rec.concordance:.3f}")
    print("c-index, held-out: %.3f" % est.score(*test))

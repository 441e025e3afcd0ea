# gradwatch-corpus: kind=graph-held
# holder: self._summaries | ledger._summaries | self.ledger._summaries | self._summaries[result] | self._summaries.data | trainer.ledger._summaries | pipeline.ledger._summaries | functools.partial(summarise, result)
# first-bad: 1
"""Multi-label tagging of short documents. Each step gives a result object; the ledger attaches
lazily computed summaries to results as long as someone is using them."""
import contextlib
import functools
import weakref
from dataclasses import dataclass
from typing import Callable, Optional

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(eq=False)
class StepResult:
    step: int
    loss: Tensor
    logits: Tensor
    labels: Tensor


class Ledger:
    """Summaries by result; an entry goes when its result does."""

    def __init__(self):
        self._summaries: "weakref.WeakKeyDictionary[StepResult, Callable[[], dict]]" = \
            weakref.WeakKeyDictionary()

    def attach(self, result: StepResult, maker: Callable[[], dict]) -> None:
        self._summaries[result] = maker  # <- culprit

    def summary(self, result: StepResult) -> Optional[dict]:
        maker = self._summaries.get(result)
        return maker() if maker else None


def summarise(result: StepResult, threshold: float = 0.5) -> dict:
    with torch.no_grad():
        hit = result.logits.sigmoid() > threshold
        tp = (hit & result.labels.bool()).sum().item()
        return {"loss": result.loss.item(),
                "precision": tp / max(1, hit.sum().item()),
                "recall": tp / max(1, int(result.labels.sum()))}


class Tagger(nn.Module):
    def __init__(self, vocab=600, dim=32, tags=12):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.mlp = nn.Sequential(nn.Linear(dim, 48), nn.ReLU(), nn.Linear(48, tags))

    def forward(self, tokens):
        return self.mlp(self.bag(tokens))


def corpus(vocab=600, tags=12, batch=32, length=40, seed=13):
    gen = torch.Generator().manual_seed(seed)
    topic = torch.randint(tags, (vocab,), generator=gen)
    while True:
        tokens = torch.randint(vocab, (batch, length), generator=gen)
        share = F.one_hot(topic[tokens], tags).float().mean(1)
        yield tokens, (share > 1.3 / tags).float()


class Pipeline:
    def __init__(self, steps=240):
        torch.manual_seed(6)
        self.steps = steps
        self.ledger = Ledger()
        self.model = Tagger()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=5e-3)

    @contextlib.contextmanager
    def optimising(self):
        self.opt.zero_grad(set_to_none=True)
        yield
        self.opt.step()

    def results(self):
        for step, (tokens, labels) in zip(range(self.steps), corpus()):
            with self.optimising():
                logits = self.model(tokens)
                loss = F.binary_cross_entropy_with_logits(logits, labels)
                loss.backward()
            result = StepResult(step, loss, logits, labels)
            self.ledger.attach(result, functools.partial(summarise, result))  # <- culprit
            yield result

    def run(self):
        for result in self.results():
            if result.step % 60 == 0 or result.step == self.steps - 1:
                s = self.ledger.summary(result)
                print(f"{result.step:4d} " + " ".join(f"{k}={v:.3f}" for k, v in s.items()))


if __name__ == "__main__":
    Pipeline().run()

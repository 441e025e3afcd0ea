# gradwatch-corpus: kind=graph-held
# holder: self.predicted[slot] | self.predicted | meter.predicted[slot] | meter.predicted | calibration.predicted | self.calibration.predicted | reporter.calibration.predicted | p_sum
# first-bad: 1
"""CTR ranker for display slots: hashed categorical features, one cross layer, a small tower.

Calibration per slot (predicted clicks over real clicks) is what the business looks at, so we track it online."""
import torch
from torch import nn

from metrics import CalibrationMeter, NormalizedEntropy
from model import CrossRanker

N_SLOTS = 6
VOCABS = (400, 250, 60, N_SLOTS)


class Impressions:
    """Synthetic impression log with a fixed click model behind it."""

    def __init__(self, batch=256, seed=7):
        self.gen = torch.Generator().manual_seed(seed)
        self.batch = batch
        self.truth = [torch.randn(v, generator=self.gen) * 0.6 for v in VOCABS]

    def __iter__(self):
        while True:
            ids = torch.stack(
                [torch.randint(0, v, (self.batch,), generator=self.gen) for v in VOCABS], dim=1
            )
            logit = sum(t[ids[:, k]] for k, t in enumerate(self.truth)) - 2.0
            click = torch.bernoulli(logit.sigmoid(), generator=self.gen)
            yield ids, click


class Reporter:
    def __init__(self, every):
        self.every = every
        self.calibration = CalibrationMeter(N_SLOTS)
        self.entropy = NormalizedEntropy()

    def observe(self, step, ids, logits, click):
        prob = torch.sigmoid(logits)
        self.calibration.update(ids[:, -1], prob, click)
        self.entropy.update(prob, click)
        if step % self.every == self.every - 1:
            ratios = " ".join(f"{r:.2f}" for r in self.calibration.ratios())
            print(f"step {step + 1:4d}  NE {self.entropy.value():.4f}  calibration [{ratios}]")
            self.entropy.reset()


def train(steps=240):
    torch.manual_seed(0)
    model = CrossRanker(VOCABS, dim=8)
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
    criterion = nn.BCEWithLogitsLoss()
    reporter = Reporter(every=60)

    for step, (ids, click) in zip(range(steps), Impressions()):
        logits = model(ids)
        loss = criterion(logits, click)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        reporter.observe(step, ids, logits, click)
    return model


if __name__ == "__main__":
    train()

# gradwatch-corpus: kind=memory-climb
# first-bad: 1
"""Sound-event tagging with a metric collection (mAP over everything seen since the last reset)."""
import torch
from torch import nn
import torch.nn.functional as F


class Metric:
    def update(self, scores, target):
        raise NotImplementedError

    def compute(self):
        raise NotImplementedError

    def reset(self):
        pass


class MeanAveragePrecision(Metric):
    def __init__(self):
        self.reset()

    def reset(self):
        self.scores, self.targets = [], []

    def update(self, scores, target):
        self.scores.append(scores.detach().sigmoid())  # <- culprit
        self.targets.append(target.bool())

    def compute(self):
        s, t = torch.cat(self.scores[-4:]), torch.cat(self.targets[-4:])
        order = s.argsort(0, descending=True)
        hit = t.gather(0, order).float()
        precision = hit.cumsum(0) / torch.arange(1, len(hit) + 1).unsqueeze(1)
        return ((precision * hit).sum(0) / hit.sum(0).clamp(min=1)).mean().item()


class HammingLoss(Metric):
    def __init__(self):
        self.reset()

    def reset(self):
        self.wrong, self.total = 0, 0

    def update(self, scores, target):
        self.wrong += ((scores > 0) != target.bool()).sum().item()
        self.total += target.numel()

    def compute(self):
        return self.wrong / max(1, self.total)


class MetricCollection(dict):
    def update_all(self, scores, target):
        for m in self.values():
            m.update(scores, target)

    def compute_all(self):
        return {k: round(m.compute(), 4) for k, m in self.items()}

    def reset_all(self):
        for m in self.values():
            m.reset()


def clip_stream(tags, batch, seed=12, bands=40):
    g = torch.Generator().manual_seed(seed)
    bank = torch.randn(tags, bands, generator=g)
    while True:
        y = (torch.rand(batch, tags, generator=g) < 0.05).float()
        yield y @ bank * 0.5 + torch.randn(batch, bands, generator=g), y


def main(steps=450, tags=256, batch=128, report_every=90):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(40, 64), nn.ReLU(), nn.BatchNorm1d(64), nn.Linear(64, tags))
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    metrics = MetricCollection(map=MeanAveragePrecision(), hamming=HammingLoss())
    stream = clip_stream(tags, batch)
    metrics.reset_all()
    for step in range(1, steps + 1):
        x, y = next(stream)
        logits = model(x)
        loss = F.binary_cross_entropy_with_logits(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        metrics.update_all(logits, y)
        if step % report_every == 0:
            print(step, f"loss {loss.item():.4f}", metrics.compute_all())


if __name__ == "__main__":
    main()

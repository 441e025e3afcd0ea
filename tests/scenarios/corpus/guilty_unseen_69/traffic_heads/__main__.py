# gradwatch-corpus: kind=second-backward
# holder: z | summary | loss
# first-bad: 8
# notice: 0
"""Road traffic: one trunk, a flow head, and further heads that join the training later on."""
import torch

from .data import detectors
from .heads import HEADS, build
from .trunk import Trunk


class Plan:
    """Which heads take part at which step."""

    def __init__(self, starts):
        self.starts = starts

    def active(self, step):
        return [name for name, start in self.starts.items() if step >= start]


class MultiHeadTrainer:
    def __init__(self, plan, sensors=10, lags=12, width=32):
        self.plan = plan
        self.trunk = Trunk(sensors * lags, width)
        self.heads = {name: build(name, width, sensors) for name in plan.starts}
        params = list(self.trunk.parameters())
        for head in self.heads.values():
            params += list(head.parameters())
        self.opt = torch.optim.Adam(params, lr=2e-3)

    def step(self, k, batch):
        self.opt.zero_grad()
        summary = self.trunk(batch["history"])
        report = {}
        for name in self.plan.active(k):
            report[name] = self.heads[name].learn(summary, batch)  # <- culprit
        self.opt.step()
        return report


def main():
    torch.set_num_threads(1)
    torch.manual_seed(21)
    trainer = MultiHeadTrainer(Plan({"flow": 0, "jam": 8, "trend": 16}))
    assert set(trainer.heads) <= set(HEADS)
    for k, batch in enumerate(detectors(steps=60)):
        report = trainer.step(k, batch)
        if k % 4 == 0:
            print(k, " ".join(f"{n}={v:.3f}" for n, v in report.items()))


if __name__ == "__main__":
    main()

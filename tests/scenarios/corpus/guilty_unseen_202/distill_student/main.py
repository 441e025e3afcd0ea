# gradwatch-corpus: kind=graph-held
# holder: self._sum[name] | self._sum | tracker._sum
# first-bad: 1
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from metrics import MetricTracker
from nets import SmallCNN


@dataclass
class Config:
    steps: int = 450
    batch: int = 16
    lr: float = 2e-3
    temperature: float = 4.0
    alpha: float = 0.7
    log_every: int = 75
    seed: int = 11


def make_data(cfg, n=512):
    g = torch.Generator().manual_seed(cfg.seed)
    y = torch.randint(0, 10, (n,), generator=g)
    protos = torch.randn(10, 1, 16, 16, generator=g)
    x = protos[y] + 0.8 * torch.randn(n, 1, 16, 16, generator=g)
    return x, y


class Distiller:
    def __init__(self, teacher, student, cfg):
        self.teacher = teacher.eval().requires_grad_(False)
        self.student = student
        self.cfg = cfg
        self.opt = torch.optim.Adam(student.parameters(), lr=cfg.lr)

    def losses(self, x, y):
        t = self.cfg.temperature
        with torch.no_grad():
            soft = F.softmax(self.teacher(x) / t, dim=1)
        logits = self.student(x)
        kd = F.kl_div(F.log_softmax(logits / t, dim=1), soft, reduction="batchmean") * t * t
        ce = F.cross_entropy(logits, y)
        acc = (logits.argmax(1) == y).float().mean()
        return kd, ce, acc

    def fit(self, x, y):
        tracker = MetricTracker()
        for step in range(self.cfg.steps):
            idx = torch.randint(0, len(x), (self.cfg.batch,))
            kd, ce, acc = self.losses(x[idx], y[idx])
            loss = self.cfg.alpha * kd + (1 - self.cfg.alpha) * ce
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            tracker.update(n=len(idx), kd=kd, ce=ce, acc=acc)
            if step % self.cfg.log_every == 0:
                print(step, tracker.summary())
        return tracker


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    x, y = make_data(cfg)
    distiller = Distiller(SmallCNN(width=12), SmallCNN(width=4), cfg)
    tracker = distiller.fit(x, y)
    print("final", tracker.summary())


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=graph-chain
# holder: self.prototypes | head.prototypes | trainer.head.prototypes
# first-bad: 1
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from prototypes import PrototypeHead


@dataclass
class TrainConfig:
    n_mels: int = 40
    frames: int = 20
    classes: int = 6
    proj_dim: int = 24
    batch: int = 64
    iters: int = 420
    lr: float = 0.05
    log_every: int = 70


class AverageMeter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.sum, self.n = 0.0, 0

    def update(self, v, n=1):
        self.sum += v * n
        self.n += n

    @property
    def avg(self):
        return self.sum / max(self.n, 1)


class KeywordFeatures:
    """Pooled log-mel statistics of synthetic keyword clips."""

    def __init__(self, cfg, n=1500, seed=21):
        g = torch.Generator().manual_seed(seed)
        env = torch.randn(cfg.classes, cfg.n_mels, 1, generator=g)
        self.y = torch.randint(0, cfg.classes, (n,), generator=g)
        clips = env[self.y] + 2.0 * torch.randn(n, cfg.n_mels, cfg.frames, generator=g)
        self.x = torch.cat([clips.mean(2), clips.std(2)], dim=1)

    def sample(self, k):
        i = torch.randint(0, 1200, (k,))
        return self.x[i], self.y[i]

    def heldout(self):
        return self.x[1200:], self.y[1200:]


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.data = KeywordFeatures(cfg)
        self.head = PrototypeHead(2 * cfg.n_mels, cfg.proj_dim, cfg.classes)
        self.optimizer = torch.optim.SGD(self.head.parameters(), lr=cfg.lr, momentum=0.9)
        self.loss_meter, self.acc_meter = AverageMeter(), AverageMeter()

    def step(self):
        x, y = self.data.sample(self.cfg.batch)
        logits = self.head(x, y)
        loss = F.cross_entropy(logits, y)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)
        self.optimizer.step()
        self.loss_meter.update(loss.item(), len(y))
        self.acc_meter.update((logits.argmax(1) == y).float().mean().item(), len(y))

    @torch.no_grad()
    def validate(self):
        x, y = self.data.heldout()
        return (self.head(x).argmax(1) == y).float().mean().item()

    def run(self):
        for it in range(1, self.cfg.iters + 1):
            self.step()
            if it % self.cfg.log_every == 0:
                print(f"iter {it} loss {self.loss_meter.avg:.4f} acc {self.acc_meter.avg:.3f} val {self.validate():.3f}")
                self.loss_meter.reset()
                self.acc_meter.reset()


if __name__ == "__main__":
    torch.manual_seed(4)
    trainer = Trainer(TrainConfig())
    trainer.run()

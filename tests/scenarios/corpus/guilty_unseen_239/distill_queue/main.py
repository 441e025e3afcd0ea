# gradwatch-corpus: kind=graph-held
# holder: self.scheduler._jobs | scheduler._jobs | self._jobs | distiller.scheduler._jobs
# first-bad: 1
import torch

from distiller import Distiller
from scheduler import TickScheduler
from settings import DistillSettings


def batches(cfg):
    centers = torch.randn(cfg.classes, cfg.features)
    for _ in range(cfg.steps):
        labels = torch.randint(0, cfg.classes, (cfg.batch,))
        yield centers[labels] + torch.randn(cfg.batch, cfg.features), labels


def main():
    torch.manual_seed(606)
    cfg = DistillSettings()
    scheduler = TickScheduler()
    distiller = Distiller(cfg, scheduler)
    for x, labels in batches(cfg):
        value = distiller.step(x, labels)
        scheduler.tick()
        if scheduler.now % cfg.report_every == 0:
            print(f"tick {scheduler.now:3d} distill loss {value:.4f}")
    scheduler.drain()
    half = len(distiller.agreement) // 2
    first = sum(distiller.agreement[:half]) / half
    second = sum(distiller.agreement[half:]) / half
    print(f"agreement first half {first:.3f} second half {second:.3f}")


if __name__ == "__main__":
    main()

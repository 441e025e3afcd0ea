# gradwatch-corpus: kind=crashed
# first-bad: 120
# notice: 0
import torch

torch.set_num_threads(1)

from .net import Reservoir
from .schedule import PLAN, enter
from .trainer import Trainer


def inflow_windows(n, width, gen):
    t = torch.arange(n, dtype=torch.float32)
    flow = torch.sin(t / 9.0) + 0.4 * torch.sin(t / 2.3) + 0.05 * torch.randn(n, generator=gen)
    x = flow.unfold(0, width + 1, 1)
    return x[:, :-1], x[:, -1:]


def main():
    torch.manual_seed(11)
    gen = torch.Generator().manual_seed(4)
    x, y = inflow_windows(600, 12, gen)
    trainer = Trainer(Reservoir(12, 16), lr=3e-3)
    for phase in PLAN:
        enter(trainer.model, phase)
        for _ in range(phase.steps):
            pick = torch.randint(0, x.shape[0], (24,), generator=gen)
            trainer.step(x[pick], y[pick])
        print(f"{phase.name:10s} rmse={trainer.rmse():.4f}")


if __name__ == "__main__":
    main()

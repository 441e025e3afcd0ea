# gradwatch-corpus: kind=none
import torch

from .core import Engine, Schedule
from .hooks import BackwardBatcher, Consistency, FeatureTap, Running
from .nets import WorldModel

torch.set_num_threads(1)


class Pendulums:
    """Batches of short clips of damped oscillators seen through a random projection."""

    def __init__(self, clip=8, batch=24, dim=12):
        self.clip, self.batch = clip, batch
        self.proj = torch.randn(2, dim)

    def __iter__(self):
        while True:
            a, w, p = (torch.rand(self.batch, 1) for _ in range(3))
            t = torch.arange(self.clip).float()[None] * 0.4
            phase = (1 + w) * t + 6.28 * p
            xy = torch.stack([phase.cos(), phase.sin()], -1) * (0.5 + a)[..., None]
            yield xy @ self.proj + 0.05 * torch.randn(self.batch, self.clip, self.proj.shape[1])


if __name__ == "__main__":
    torch.manual_seed(9)
    model = WorldModel(obs=12, deter=32, stoch=8)
    tap = FeatureTap(model.gru)
    running = Running(keep=0.9)
    engine = Engine(model, hooks=[Consistency(tap, weight=0.1), BackwardBatcher(every=4), running],
                    schedule=Schedule(total=200, log_every=25))
    engine.fit(Pendulums())
    print({k: round(v, 4) for k, v in running.value.items()})

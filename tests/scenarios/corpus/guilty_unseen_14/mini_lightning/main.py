# gradwatch-corpus: kind=graph-held
# holder: self._sum | metric._sum | meter._sum | self.meters[key]._sum | self.meters["train/nll"]._sum | self.results.meters["train/nll"]._sum | trainer.results.meters["train/nll"]._sum | results.meters["train/nll"]._sum
# first-bad: 1
"""Entry point for our two hundred line Lightning: fit a mixture-density head to a
multi-valued inverse-kinematics toy, with everything going through `Trainer.fit`."""
import torch

from engine import Callback, Trainer
from tasks import InverseArm, MixtureDensity


class Console(Callback):
    def __init__(self, every: int) -> None:
        self.every = every

    def on_batch_end(self, trainer, module, step):
        if step % self.every == self.every - 1:
            line = "  ".join(f"{k}={v:.4f}" for k, v in trainer.results.snapshot().items())
            print(f"[{step + 1:4d}] {line}")


class WarmUp(Callback):
    def __init__(self, steps: int, peak: float) -> None:
        self.steps, self.peak = steps, peak

    def on_batch_start(self, trainer, module, step):
        lr = self.peak * min(1.0, (step + 1) / self.steps)
        for group in trainer.optimizer.param_groups:
            group["lr"] = lr


def main() -> None:
    torch.manual_seed(1207)
    data = InverseArm(batch_size=64, links=(0.9, 0.6))
    module = MixtureDensity(hidden=48, components=5)
    trainer = Trainer(max_steps=300, callbacks=[WarmUp(40, 4e-3), Console(60)], clip=5.0)
    trainer.fit(module, data)
    print("final:", {k: round(v, 4) for k, v in trainer.results.snapshot().items()})


if __name__ == "__main__":
    main()

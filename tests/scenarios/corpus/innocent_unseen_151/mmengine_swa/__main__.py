# gradwatch-corpus: kind=none
import torch

from . import hooks, models  # noqa: F401
from .runner import Runner

cfg = dict(
    model=dict(type="SegHead", channels=12, num_classes=3, aux_weight=0.4),
    optim=dict(lr=0.01, accumulative_counts=2),
    hooks=[dict(type="EMAHook", momentum=0.05), dict(type="MessageHubHook", window=20), dict(type="CheckpointHook", keep=2, interval=40)],
    max_iters=160,
)

if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(17)
    runner = Runner(cfg)
    runner.train()
    print({k: round(sum(v) / len(v), 4) for k, v in runner.scalars.items()}, "checkpoints", [i for i, _ in runner.checkpoints])

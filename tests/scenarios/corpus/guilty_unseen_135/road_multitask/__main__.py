# gradwatch-corpus: kind=graph-chain
# holder: self.smooth | self.criterion.smooth | module.criterion.smooth
# first-bad: 1
# notice: 5
"""Depth + segmentation + steering from tiny road images, with learned task weights."""
import torch

torch.set_num_threads(1)

from .balance import UncertaintyBalance
from .heads import RoadNet
from .scenes import SceneLoader


class LitRoad:
    """Lightning-like module without lightning."""

    def __init__(self):
        self.net = RoadNet()
        self.criterion = UncertaintyBalance(tasks=("depth", "seg", "steer"), momentum=0.9)

    def configure_optimizers(self):
        groups = [
            {"params": self.net.parameters(), "lr": 3e-3},
            {"params": self.criterion.parameters(), "lr": 1e-2, "weight_decay": 0.0},
        ]
        opt = torch.optim.AdamW(groups, weight_decay=1e-3)
        return opt, torch.optim.lr_scheduler.StepLR(opt, 80, gamma=0.5)

    def training_step(self, batch):
        return self.criterion(self.net.losses(batch))


def fit(module, loader, epochs):
    opt, sched = module.configure_optimizers()
    step = 0
    for epoch in range(epochs):
        for batch in loader:
            total, parts = module.training_step(batch)
            opt.zero_grad()
            total.backward()
            opt.step()
            sched.step()
            step += 1
        print(epoch, {k: round(v, 3) for k, v in parts.items()})


if __name__ == "__main__":
    torch.manual_seed(37)
    fit(LitRoad(), SceneLoader(batches=40), epochs=6)

# gradwatch-corpus: kind=graph-held
# holder: self._inter | self._union | trainer._inter | trainer._union
# first-bad: 1
"""Land-cover segmentation on synthetic four-band tiles, a small stand-in for our Sentinel-2 pipeline.

The trainer is put together from mixins so that each campaign can pick what it reports.
"""
import torch
import torch.nn.functional as F

from metrics import ConsoleMixin, PixelAccuracyMixin, SoftIoUMixin
from model import TinyUNet
from tiles import CLASSES, TileSampler


class BaseTrainer:
    def __init__(self, net, sampler, lr=3e-3, steps=240):
        self.net = net
        self.sampler = sampler
        self.steps = steps
        self.step = 0
        self.optim = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=1e-4)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.optim, steps)

    # mixins chain onto these two
    def after_batch(self, logits, target, loss):
        pass

    def summary(self):
        return {"lr": self.sched.get_last_lr()[0]}

    def criterion(self, logits, target):
        ce = F.cross_entropy(logits, target, label_smoothing=0.05)
        probs = logits.softmax(1)
        onehot = F.one_hot(target, len(CLASSES)).permute(0, 3, 1, 2).float()
        dice = 1 - (2 * (probs * onehot).sum((0, 2, 3)) + 1) / (probs.sum((0, 2, 3)) + onehot.sum((0, 2, 3)) + 1)
        return ce + 0.5 * dice.mean()

    def run(self):
        self.net.train()
        for self.step in range(self.steps):
            image, target = self.sampler.draw()
            self.optim.zero_grad(set_to_none=True)
            logits = self.net(image)
            loss = self.criterion(logits, target)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
            self.optim.step()
            self.sched.step()
            self.after_batch(logits, target, loss)
        return self.summary()


class LandCoverTrainer(ConsoleMixin, SoftIoUMixin, PixelAccuracyMixin, BaseTrainer):
    """Campaign 'spring': soft IoU and pixel accuracy, printed now and then."""

    every = 60


def main():
    torch.manual_seed(20)
    torch.set_num_threads(1)
    trainer = LandCoverTrainer(TinyUNet(bands=4, classes=len(CLASSES)), TileSampler(batch=4, size=32, seed=7))
    final = trainer.run()
    print("final", {k: round(v, 4) for k, v in final.items()})


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=graph-held
# holder: self.frames | gallery.frames | self.callbacks
# first-bad: 2
# notice: 8
import torch

from callbacks import Gallery, ScoreMeter
from nets import Discriminator, Generator
from trainer import GanTrainer


def ring(n):
    a = torch.rand(n) * 6.2832
    return torch.stack([a.cos(), a.sin()], 1) + 0.05 * torch.randn(n, 2)


def main():
    torch.manual_seed(11)
    torch.set_num_threads(1)
    gallery, meter = Gallery(keep=16), ScoreMeter()
    trainer = GanTrainer(Generator(), Discriminator(), callbacks=[gallery, meter])
    trainer.fit(ring, steps=90)
    first, last = gallery.spread(0), gallery.spread(89)
    print(f"radius {first:.3f} -> {last:.3f}, d(x) {meter.mean():.3f}")


if __name__ == "__main__":
    main()

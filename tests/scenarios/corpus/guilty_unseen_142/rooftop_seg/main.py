# gradwatch-corpus: kind=graph-held
# holder: tracker.overall | self.overall | trainer.tracker.overall | self.tracker.overall
# first-bad: 1
# notice: 8
"""Rooftop segmentation on synthetic aerial tiles."""
import torch
from torch import nn
torch.set_num_threads(1)

from metrics import DiceTracker, soft_dice
from tiles import TileStream


class MiniUNet(nn.Module):
    def __init__(self, classes, width=6):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(3, width, 3, padding=1), nn.ReLU())
        self.mid = nn.Sequential(nn.Conv2d(width, 2 * width, 3, stride=2, padding=1), nn.ReLU())
        self.up = nn.Upsample(scale_factor=2)
        self.out = nn.Conv2d(3 * width, classes, 1)

    def forward(self, x):
        a = self.down(x)
        b = self.up(self.mid(a))
        return self.out(torch.cat([a, b], 1))


class Trainer:
    def __init__(self, model, classes):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=3e-3)
        self.ce = nn.CrossEntropyLoss()
        self.tracker = DiceTracker(classes)

    def step(self, img, mask):
        logits = self.model(img)
        dice = soft_dice(logits.softmax(1), mask)
        loss = self.ce(logits, mask) + 0.5 * (1 - dice.mean())
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.tracker.update(dice, img.size(0))
        return loss.item()


def main():
    torch.manual_seed(11)
    trainer = Trainer(MiniUNet(3), 3)
    stream = TileStream(batches=25)
    for epoch in range(14):
        trainer.tracker.start_epoch()
        losses = [trainer.step(img, mask) for img, mask in stream]
        print(epoch, sum(losses) / len(losses), trainer.tracker.summary())


if __name__ == "__main__":
    main()

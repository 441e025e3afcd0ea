# gradwatch-corpus: kind=graph-held
# holder: self.sums | trainer.tracker.sums | tracker.sums | self.sums[name] | trainer.tracker.sums["total"] | self.sums["total"]
# first-bad: 1
# notice: 8
"""Train a toy U-Net on synthetic ultrasound phantoms (speckle + ellipse)."""
import torch

torch.set_num_threads(1)

from meters import MetricTracker
from nets import TinyUNet, soft_dice


class Trainer:
    def __init__(self, net, lr=3e-3, steps=260):
        self.net = net
        self.opt = torch.optim.AdamW(net.parameters(), lr=lr)
        self.steps = steps
        self.tracker = MetricTracker("bce", "dice", "total")

    def phantom(self, n=4, size=16):
        yy, xx = torch.meshgrid(torch.linspace(-1, 1, size), torch.linspace(-1, 1, size), indexing="ij")
        c = torch.rand(n, 2, 1, 1) - 0.5
        r = 0.2 + 0.4 * torch.rand(n, 1, 1)
        mask = (((xx - c[:, 0]) ** 2 + (yy - c[:, 1]) ** 2) < r ** 2).float().unsqueeze(1)
        img = mask * 0.6 + 0.4 * torch.rand(n, 1, size, size)
        return img, mask

    def train_step(self):
        img, mask = self.phantom()
        logits = self.net(img)
        bce = torch.nn.functional.binary_cross_entropy_with_logits(logits, mask)
        dice = soft_dice(logits, mask)
        total = bce + 0.5 * dice
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        return {"bce": bce.item(), "dice": dice.item(), "total": total}, img.shape[0]

    def fit(self):
        for i in range(self.steps):
            logs, n = self.train_step()
            for k, v in logs.items():
                self.tracker.update(k, v, n)
            if (i + 1) % 65 == 0:
                print(i + 1, self.tracker)


if __name__ == "__main__":
    torch.manual_seed(11)
    trainer = Trainer(TinyUNet(4))
    trainer.fit()

# gradwatch-corpus: kind=second-backward
# first-bad: 60
import torch
from torch import nn
import torch.nn.functional as F


class CropNet(nn.Module):
    def __init__(self, bands=7, steps=12, width=32, crops=5):
        super().__init__()
        self.mix = nn.Conv1d(bands, width, 3, padding=1)
        self.pool = nn.Linear(width * steps, width)
        self.crop_head = nn.Linear(width, crops)
        self.yield_head = nn.Linear(width, 1)

    def trunk(self, x):
        return torch.relu(self.pool(torch.relu(self.mix(x)).flatten(1)))


class FieldData:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.season = torch.randn(5, 7, 12, generator=self.gen)

    def batch(self, n):
        crop = torch.randint(0, 5, (n,), generator=self.gen)
        vigour = torch.rand(n, generator=self.gen)
        x = self.season[crop] * (0.5 + vigour)[:, None, None]
        x = x + 0.3 * torch.randn(n, 7, 12, generator=self.gen)
        return x, crop, vigour * (1 + crop.float())


class Trainer:
    def __init__(self, warmup):
        self.net = CropNet()
        self.data = FieldData(6)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.02, momentum=0.9)
        self.warmup = warmup
        self.log = {"crop": [], "yield": []}

    def step(self, i):
        x, crop, tonnes = self.data.batch(40)
        feats = self.net.trunk(x)
        self.opt.zero_grad()
        crop_loss = F.cross_entropy(self.net.crop_head(feats), crop)
        crop_loss.backward()  # <- culprit
        self.log["crop"].append(crop_loss.item())
        if i >= self.warmup:
            guess = self.net.yield_head(feats).squeeze(-1)
            yield_loss = 0.1 * F.mse_loss(guess, tonnes)
            yield_loss.backward()  # <- culprit
            self.log["yield"].append(yield_loss.item())
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.opt.step()


def main():
    torch.manual_seed(17)
    trainer = Trainer(warmup=60)
    for i in range(500):
        trainer.step(i)
        if i % 20 == 19:
            tail = trainer.log["crop"][-20:]
            print(i + 1, f"crop {sum(tail) / len(tail):.3f}")


if __name__ == "__main__":
    main()

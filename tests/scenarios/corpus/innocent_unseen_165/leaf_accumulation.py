# gradwatch-corpus: kind=none
import tempfile
from pathlib import Path

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(14)


class AverageMeter:
    def __init__(self, name):
        self.name = name
        self.reset()

    def reset(self):
        self.sum, self.count = 0.0, 0

    def update(self, val, n=1):
        self.sum += float(val) * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(1, self.count)


class LeafNet(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(inplace=True), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d(1),
        )
        self.fc = nn.Linear(16, classes)

    def forward(self, x):
        return self.fc(self.features(x).flatten(1))


class Trainer:
    def __init__(self, model, accum_steps=4):
        self.model = model
        self.accum_steps = accum_steps
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
        self.sched = torch.optim.lr_scheduler.OneCycleLR(self.opt, max_lr=0.2, total_steps=100)
        self.crit = nn.CrossEntropyLoss()
        self.loss_meter = AverageMeter("loss")
        self.acc_meter = AverageMeter("acc")

    def fit_epoch(self, loader):
        self.model.train()
        self.loss_meter.reset()
        self.acc_meter.reset()
        outputs, targets = [], []
        self.opt.zero_grad()
        for i, (x, y) in enumerate(loader):
            logits = self.model(x)
            loss = self.crit(logits, y)
            (loss / self.accum_steps).backward()
            if (i + 1) % self.accum_steps == 0:
                self.opt.step()
                self.sched.step()
                self.opt.zero_grad()
            self.loss_meter.update(loss.detach(), len(y))
            outputs.append(logits.detach())
            targets.append(y)
        hits = (torch.cat(outputs).argmax(1) == torch.cat(targets)).float().mean()
        self.acc_meter.update(hits, len(loader.dataset))

    def save(self, path):
        torch.save({"model": self.model.state_dict(), "opt": self.opt.state_dict(), "sched": self.sched.state_dict()}, path)

    def resume(self, path):
        ckpt = torch.load(path)
        self.model.load_state_dict(ckpt["model"])
        self.opt.load_state_dict(ckpt["opt"])
        self.sched.load_state_dict(ckpt["sched"])


def leaves(n=320):
    y = torch.randint(0, 4, (n,))
    x = torch.randn(n, 3, 10, 10) * 0.5
    x[:, 0] += (y == 0).float()[:, None, None]
    x[:, 1] += (y == 1).float()[:, None, None]
    x[:, 2] += (y == 2).float()[:, None, None]
    return TensorDataset(x, y)


def main():
    loader = DataLoader(leaves(), batch_size=8, shuffle=True)
    trainer = Trainer(LeafNet())
    with tempfile.TemporaryDirectory() as d:
        path = Path(d) / "last.pt"
        for epoch in range(10):
            if path.exists():
                trainer.resume(path)
            trainer.fit_epoch(loader)
            trainer.save(path)
            print(epoch, f"{trainer.loss_meter.avg:.4f}", f"{trainer.acc_meter.avg:.3f}")


if __name__ == "__main__":
    main()

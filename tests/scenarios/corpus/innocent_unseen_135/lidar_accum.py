# gradwatch-corpus: kind=none
"""Point-wise ground segmentation of lidar sweeps; the losses of four sweeps make one update."""
import torch

torch.set_num_threads(1)
from torch import nn


class SweepNet(nn.Module):
    def __init__(self, h=16):
        super().__init__()
        self.point = nn.Sequential(nn.Linear(4, h), nn.ReLU())
        self.fuse = nn.Sequential(nn.Linear(2 * h, h), nn.ReLU(), nn.Linear(h, 1))

    def forward(self, pts):
        f = self.point(pts)
        ctx = f.amax(0, keepdim=True).expand_as(f)
        return self.fuse(torch.cat([f, ctx], -1)).squeeze(-1)


def sweep():
    n = int(torch.randint(30, 60, (1,)))
    xyz = torch.rand(n, 3) * torch.tensor([10.0, 10.0, 2.0])
    slope = 0.05 * xyz[:, 0]
    ground = (xyz[:, 2] < slope + 0.3).float()
    return torch.cat([xyz / 10, torch.rand(n, 1) * 0.5 + 0.5 * ground[:, None]], 1), ground


class AccumulatingTrainer:
    def __init__(self, net, window=4):
        self.net, self.window = net, window
        self.opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
        self.pending = []
        self.updates = 0
        self.reported = 0.0

    def feed(self, pts, ground):
        logits = self.net(pts)
        self.pending.append(nn.functional.binary_cross_entropy_with_logits(logits, ground))
        if len(self.pending) == self.window:
            self.flush()

    def flush(self):
        loss = torch.stack(self.pending).mean()
        self.pending.clear()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.updates += 1
        self.reported = 0.98 * self.reported + 0.02 * loss.item()


torch.manual_seed(8)
trainer = AccumulatingTrainer(SweepNet())
while trainer.updates < 500:
    trainer.feed(*sweep())
    if trainer.updates % 125 == 0 and not trainer.pending:
        print(trainer.updates, round(trainer.reported, 4))

# gradwatch-corpus: kind=second-backward
# holder: shared
# first-bad: 14
from dataclasses import dataclass
from collections import Counter

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, Subset


@dataclass
class Settings:
    patients: int = 1200
    vitals: int = 10
    width: int = 48
    batch: int = 32
    epochs: int = 3
    lr: float = 3e-3
    dept_weight: float = 0.5


class Admissions(Dataset):
    """Rows sorted by admission date; the department was only written down later on."""

    def __init__(self, n, n_vitals):
        g = torch.Generator().manual_seed(90)
        self.vitals = torch.randn(n, n_vitals, generator=g)
        w_u = torch.randn(n_vitals, 3, generator=g)
        w_d = torch.randn(n_vitals, 5, generator=g)
        self.urgency = (self.vitals @ w_u + torch.randn(n, 3, generator=g)).argmax(1)
        self.dept = (self.vitals @ w_d + torch.randn(n, 5, generator=g)).argmax(1)
        recorded = torch.rand(n, generator=g) < 0.6
        recorded[:460] = False
        self.dept[~recorded] = -1

    def __len__(self):
        return len(self.vitals)

    def __getitem__(self, i):
        return self.vitals[i], self.urgency[i], self.dept[i]


class TriageNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(cfg.vitals, cfg.width), nn.LayerNorm(cfg.width), nn.GELU(),
            nn.Linear(cfg.width, cfg.width), nn.GELU(),
        )
        self.urgency_head = nn.Linear(cfg.width, 3)
        self.dept_head = nn.Linear(cfg.width, 5)


def train_epoch(net, loader, opt, cfg, tally):
    ce = nn.CrossEntropyLoss()
    net.train()
    for vitals, urgency, dept in loader:
        opt.zero_grad()
        shared = net.trunk(vitals)  # <- culprit

        u_loss = ce(net.urgency_head(shared), urgency)
        u_loss.backward()  # <- culprit
        tally["urgency"] += u_loss.item()

        known = dept >= 0
        if known.any():
            d_loss = cfg.dept_weight * ce(net.dept_head(shared[known]), dept[known])  # <- culprit
            d_loss.backward()  # <- culprit
            tally["dept"] += d_loss.item()

        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        tally["batches"] += 1


@torch.no_grad()
def accuracy(net, loader):
    net.eval()
    good = total = 0
    for vitals, urgency, _ in loader:
        good += (net.urgency_head(net.trunk(vitals)).argmax(1) == urgency).sum().item()
        total += len(urgency)
    return good / total


def main():
    torch.manual_seed(3)
    cfg = Settings()
    data = Admissions(cfg.patients, cfg.vitals)
    cut = int(0.85 * len(data))
    train = DataLoader(Subset(data, range(cut)), batch_size=cfg.batch)
    valid = DataLoader(Subset(data, range(cut, len(data))), batch_size=128)
    net = TriageNet(cfg)
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr)
    print("valid accuracy before:", round(accuracy(net, valid), 3))
    for epoch in range(cfg.epochs):
        tally = Counter()
        train_epoch(net, train, opt, cfg, tally)
        print(epoch, {k: round(v / tally["batches"], 4) for k, v in tally.items() if k != "batches"},
              "valid", round(accuracy(net, valid), 3))


if __name__ == "__main__":
    main()

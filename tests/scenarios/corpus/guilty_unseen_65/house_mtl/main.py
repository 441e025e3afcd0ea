# gradwatch-corpus: kind=graph-held
# holder: self.value | meter.value | self.meters[name].value | weighting.meters[name].value | trainer.weighting.meters[name].value | self.weighting.meters[name].value | trainer.weighting.meters['price'].value
# first-bad: 1
# notice: 8
"""House listing regression: price, days-on-market and a 4-way condition grade from one trunk."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader

from data import ListingDataset
from weighting import RelativeLossWeighting


class ListingNet(nn.Module):
    def __init__(self, n_in, width=48):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(n_in, width), nn.GELU(), nn.LayerNorm(width), nn.Linear(width, width), nn.GELU()
        )
        self.heads = nn.ModuleDict(
            {"price": nn.Linear(width, 1), "days": nn.Linear(width, 1), "grade": nn.Linear(width, 4)}
        )

    def forward(self, x):
        h = self.trunk(x)
        return {k: head(h) for k, head in self.heads.items()}


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optim = torch.optim.AdamW(model.parameters(), lr=lr)
        self.weighting = RelativeLossWeighting(["price", "days", "grade"], momentum=0.95)
        self.criteria = {"price": nn.SmoothL1Loss(), "days": nn.MSELoss(), "grade": nn.CrossEntropyLoss()}

    def losses(self, batch):
        x, targets = batch
        out = self.model(x)
        res = {}
        for name, crit in self.criteria.items():
            pred = out[name] if name == "grade" else out[name].squeeze(-1)
            res[name] = crit(pred, targets[name])
        return res

    def train_epoch(self, loader):
        self.model.train()
        for batch in loader:
            per_task = self.losses(batch)
            total = self.weighting(per_task)
            self.optim.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
            self.optim.step()

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        sums, n = {k: 0.0 for k in self.criteria}, 0
        for batch in loader:
            for k, v in self.losses(batch).items():
                sums[k] += v.item()
            n += 1
        return {k: s / n for k, s in sums.items()}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--bs", type=int, default=32)
    p.add_argument("--lr", type=float, default=2e-3)
    args = p.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(7)
    train, valid = ListingDataset(640, seed=1), ListingDataset(128, seed=2)
    tl = DataLoader(train, batch_size=args.bs, shuffle=True, drop_last=True)
    vl = DataLoader(valid, batch_size=64)
    trainer = Trainer(ListingNet(train.n_features), args.lr)
    for ep in range(args.epochs):
        trainer.train_epoch(tl)
        val = trainer.evaluate(vl)
        w = trainer.weighting.current()
        print(f"epoch {ep}", " ".join(f"{k}={v:.3f}(w={w[k]:.2f})" for k, v in val.items()))


if __name__ == "__main__":
    main()

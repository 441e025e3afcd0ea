# gradwatch-corpus: kind=none
# after: feature caching of a frozen backbone (torch.no_grad, dict by image id): grows in the first epoch, then stops
"""Weld seam inspection: linear probe and small adapter on a frozen backbone, features cached by image."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader

from backbone import FrozenBackbone
from data import WeldImages


@dataclass
class HParams:
    images: int = 640
    batch: int = 16
    epochs: int = 6
    lr: float = 2e-3
    eval_every: int = 50


class Adapter(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.mix = nn.Conv2d(c, 32, 3, padding=1)
        self.norm = nn.GroupNorm(4, 32)
        self.head = nn.Linear(32, 2)

    def forward(self, f):
        return self.head(torch.relu(self.norm(self.mix(f))).mean((2, 3)))


class Probe:
    def __init__(self, hp: HParams):
        self.hp = hp
        self.backbone = FrozenBackbone()
        self.adapter = Adapter(self.backbone.out_channels)
        self.opt = torch.optim.AdamW(self.adapter.parameters(), lr=hp.lr)
        self.best_state, self.best_acc = None, 0.0
        self.step = 0

    def fit(self, train: DataLoader, valid: DataLoader) -> None:
        for epoch in range(self.hp.epochs):
            loss_sum = 0.0
            for batch in train:
                feats = self.backbone.features(batch["id"].tolist(), batch["image"])
                loss = nn.functional.cross_entropy(self.adapter(feats), batch["defect"])
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                loss_sum += loss.item()
                self.step += 1
                if self.step % self.hp.eval_every == 0:
                    self.checkpoint(self.evaluate(valid))
            print(f"epoch {epoch} loss {loss_sum / len(train):.4f} best {self.best_acc:.3f} "
                  f"cached {len(self.backbone.cache)}")

    @torch.no_grad()
    def evaluate(self, loader: DataLoader) -> float:
        self.adapter.eval()
        good = n = 0
        for batch in loader:
            feats = self.backbone.features(batch["id"].tolist(), batch["image"])
            good += (self.adapter(feats).argmax(1) == batch["defect"]).sum().item()
            n += len(feats)
        self.adapter.train()
        return good / n

    def checkpoint(self, acc: float) -> None:
        if acc > self.best_acc:
            self.best_acc = acc
            self.best_state = {k: v.detach().clone() for k, v in self.adapter.state_dict().items()}


if __name__ == "__main__":
    torch.manual_seed(0)
    hp = HParams()
    train = DataLoader(WeldImages(hp.images, first_id=0), batch_size=hp.batch, shuffle=True)
    valid = DataLoader(WeldImages(96, first_id=hp.images), batch_size=32)
    Probe(hp).fit(train, valid)

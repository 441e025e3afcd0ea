# gradwatch-corpus: kind=second-backward
# holder: feats
# first-bad: 4
"""Segmentation + depth from one encoder; depth is the auxiliary task, trained on every fifth batch only."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
torch.manual_seed(31)

AUX_EVERY = 5


class Rooms(Dataset):
    def __init__(self, n=480, size=12):
        g = torch.Generator().manual_seed(6)
        self.depth = torch.rand(n, 1, size, size, generator=g).cumsum(2) / size
        self.img = torch.cat([self.depth, 1 - self.depth, self.depth ** 2], 1)
        self.img = self.img + 0.1 * torch.randn(self.img.shape, generator=g)
        self.seg = (self.depth[:, 0] > 0.25).long() + (self.depth[:, 0] > 0.4).long()

    def __len__(self):
        return len(self.img)

    def __getitem__(self, i):
        return self.img[i], self.seg[i], self.depth[i]


class TwoHeads(nn.Module):
    def __init__(self, width=12, n_class=3):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(3, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1), nn.ReLU(),
        )
        self.seg_head = nn.Conv2d(width, n_class, 1)
        self.depth_head = nn.Conv2d(width, 1, 1)


class Engine:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
        self.step_no = 0

    def seg_pass(self, feats, seg):
        loss = F.cross_entropy(self.model.seg_head(feats), seg)
        loss.backward()  # <- culprit
        return loss.item()

    def depth_pass(self, feats, depth):
        loss = 0.5 * F.l1_loss(self.model.depth_head(feats), depth)
        loss.backward()  # <- culprit
        return loss.item()

    def train_batch(self, img, seg, depth):
        self.opt.zero_grad()
        feats = self.model.encoder(img)
        logs = {"seg": self.seg_pass(feats, seg)}
        if self.step_no % AUX_EVERY == AUX_EVERY - 1:
            logs["depth"] = self.depth_pass(feats, depth)
        self.opt.step()
        self.step_no += 1
        return logs


def main():
    loader = DataLoader(Rooms(), batch_size=16, shuffle=True)
    engine = Engine(TwoHeads())
    for epoch in range(3):
        seen = {}
        for img, seg, depth in loader:
            for k, v in engine.train_batch(img, seg, depth).items():
                seen.setdefault(k, []).append(v)
        print(epoch, {k: round(sum(v) / len(v), 4) for k, v in seen.items()})


if __name__ == "__main__":
    main()

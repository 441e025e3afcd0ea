# gradwatch-corpus: kind=graph-held
# holder: self.sum | self.meters["loss"].sum | progress.meters["loss"].sum | self.meters[key].sum
# first-bad: 1
"""Customer churn classifier for the loyalty programme."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from callbacks import EarlyStop, Progress
from trainer import Trainer


def make_members(n=3200, n_feat=18, seed=8):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, n_feat, generator=g)
    w = torch.randn(n_feat, generator=g)
    logit = x @ w * 0.7 + 0.8 * x[:, 0] * x[:, 1] - 0.6
    return TensorDataset(x, (torch.rand(n, generator=g) < torch.sigmoid(logit)).float())


def main():
    torch.manual_seed(8)
    train, valid = torch.utils.data.random_split(make_members(), [2560, 640])
    net = nn.Sequential(nn.Linear(18, 48), nn.ReLU(), nn.Dropout(0.1), nn.Linear(48, 1), nn.Flatten(0))
    progress = Progress(print_every=60)
    trainer = Trainer(
        net,
        torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-2),
        nn.BCEWithLogitsLoss(),
        callbacks=[progress, EarlyStop(patience=4)],
    )
    trainer.fit(DataLoader(train, 64, shuffle=True), DataLoader(valid, 640), epochs=5)
    print("overall mean train loss: %.4f" % float(progress.meters["loss"].mean))


if __name__ == "__main__":
    main()

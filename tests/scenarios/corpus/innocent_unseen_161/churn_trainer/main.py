# gradwatch-corpus: kind=none
"""Churn model, small memory budget: micro-batches with accumulated gradients, bf16 autocast."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from trainer import EMAWeights, Trainer


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--accum", type=int, default=4)
    ap.add_argument("--epochs", type=int, default=5)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(19)
    x = torch.randn(1280, 18)
    y = ((x[:, 0] * x[:, 1] + x[:, 2]) > 0.3).float()
    loader = DataLoader(TensorDataset(x, y), 16, shuffle=True)
    net = nn.Sequential(nn.Linear(18, 48), nn.GELU(), nn.Dropout(0.1), nn.Linear(48, 1))
    trainer = Trainer(net, args.accum, callbacks=[EMAWeights(0.95)])
    for epoch in range(args.epochs):
        print(f"epoch {epoch} {trainer.epoch(loader):.4f}")


if __name__ == "__main__":
    main()

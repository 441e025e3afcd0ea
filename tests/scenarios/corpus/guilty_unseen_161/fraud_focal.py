# gradwatch-corpus: kind=retain-needless
"""Card fraud detection with a focal loss written as a custom autograd Function."""
import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, WeightedRandomSampler


class Focal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logit, target, gamma):
        p = torch.sigmoid(logit)
        pt = torch.where(target > 0.5, p, 1 - p).clamp_min(1e-6)
        ctx.save_for_backward(pt, target)
        ctx.gamma = gamma
        return -((1 - pt) ** gamma) * pt.log()

    @staticmethod
    def backward(ctx, grad):
        pt, target = ctx.saved_tensors
        g = ctx.gamma
        d_pt = g * (1 - pt) ** (g - 1) * pt.log() - (1 - pt) ** g / pt
        sign = torch.where(target > 0.5, 1.0, -1.0)
        return grad * d_pt * sign * pt * (1 - pt), None, None


class Transactions(Dataset):
    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        self.label = (rng.random(n) < 0.08).astype(np.float32)
        self.num = rng.normal(size=(n, 10)).astype(np.float32) + 0.6 * self.label[:, None]
        self.mcc = rng.integers(0, 30, size=n)

    def __len__(self):
        return len(self.label)

    def __getitem__(self, i):
        return self.num[i], self.mcc[i], self.label[i]


class FraudNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.mcc = nn.Embedding(30, 6)
        self.body = nn.Sequential(nn.Linear(16, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 1))

    def forward(self, num, mcc):
        return self.body(torch.cat([num, self.mcc(mcc)], -1)).squeeze(-1)


def optimise(opt, loss, params, max_norm, retain=True):
    opt.zero_grad(set_to_none=True)
    loss.backward(retain_graph=retain)  # <- culprit
    norm = nn.utils.clip_grad_norm_(params, max_norm)
    opt.step()
    return norm.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--gamma", type=float, default=2.0)
    ap.add_argument("--epochs", type=int, default=3)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(17)
    data = Transactions(1600, 17)
    weights = np.where(data.label > 0.5, 6.0, 1.0)
    loader = DataLoader(data, 40, sampler=WeightedRandomSampler(weights.tolist(), len(data)))
    net = FraudNet()
    params = list(net.parameters())
    opt = torch.optim.AdamW(params, lr=2e-3)
    for epoch in range(args.epochs):
        tot = gn = 0.0
        for num, mcc, label in loader:
            loss = Focal.apply(net(num, mcc), label, args.gamma).mean()
            gn += optimise(opt, loss, params, 1.0)  # <- culprit
            tot += loss.item()
        print(f"epoch {epoch}: focal {tot / len(loader):.4f} grad norm {gn / len(loader):.3f}")


if __name__ == "__main__":
    main()

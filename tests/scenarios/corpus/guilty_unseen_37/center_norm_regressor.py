# gradwatch-corpus: kind=graph-chain
# holder: self.running_mean | self.running_var | net.norm.running_mean | net.norm.running_var
# first-bad: 1
import argparse

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)


class RunningStandardize(nn.Module):
    """Normalise with exponential statistics in train mode as well (small batches)."""

    def __init__(self, dim, momentum=0.05, eps=1e-4):
        super().__init__()
        self.momentum, self.eps = momentum, eps
        self.register_buffer("running_mean", torch.zeros(dim))
        self.register_buffer("running_var", torch.ones(dim))
        self.gain = nn.Parameter(torch.ones(dim))
        self.shift = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        if self.training:
            m = self.momentum
            self.running_mean = (1 - m) * self.running_mean + m * x.mean(0)  # <- culprit
            self.running_var = (1 - m) * self.running_var + m * x.var(0)  # <- culprit
        z = (x - self.running_mean) / (self.running_var + self.eps).sqrt()
        return z * self.gain + self.shift


class Regressor(nn.Module):
    def __init__(self, d_in, d_hid):
        super().__init__()
        self.proj = nn.Linear(d_in, d_hid)
        self.norm = RunningStandardize(d_hid)
        self.head = nn.Linear(d_hid, 1)

    def forward(self, x):
        return self.head(F.gelu(self.norm(self.proj(x)))).squeeze(-1)


def make_data(n, d, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, d, generator=g)
    w = torch.randn(d, generator=g)
    y = torch.sin(x @ w) + 0.1 * torch.randn(n, generator=g)
    return x, y


def train(args):
    torch.manual_seed(args.seed)
    x, y = make_data(args.n, args.dim, args.seed)
    net = Regressor(args.dim, args.hidden)
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr)
    step = 0
    for epoch in range(args.epochs):
        net.train()
        order = torch.randperm(args.n)
        run = 0.0
        for idx in order.split(args.batch):
            opt.zero_grad()
            loss = F.mse_loss(net(x[idx]), y[idx])
            loss.backward(retain_graph=True)  # <- culprit
            opt.step()
            run += loss.item() * idx.numel()
            step += 1
        net.eval()
        with torch.no_grad():
            ev = F.mse_loss(net(x[:64]), y[:64]).item()
        print(f"epoch {epoch} step {step} train {run / args.n:.4f} eval {ev:.4f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--n", type=int, default=256)
    ap.add_argument("--dim", type=int, default=12)
    ap.add_argument("--hidden", type=int, default=32)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--epochs", type=int, default=6)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=0)
    train(ap.parse_args())

# gradwatch-corpus: kind=none
# Harbour tide forecasting with a stateful LSTM trained by truncated backprop.
import argparse
import math

import torch
from torch import nn


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--bptt", type=int, default=12)
    p.add_argument("--batch", type=int, default=8)
    p.add_argument("--hidden", type=int, default=24)
    p.add_argument("--lr", type=float, default=4e-3)
    p.add_argument("--clip", type=float, default=0.5)
    p.add_argument("--seed", type=int, default=1234)
    return p.parse_args()


def tide_series(length):
    t = torch.arange(length, dtype=torch.float32)
    level = (torch.sin(2 * math.pi * t / 12.42) + 0.4 * torch.sin(2 * math.pi * t / 12.0)
             + 0.2 * torch.sin(2 * math.pi * t / 23.9))
    surge = torch.zeros(length)
    noise = 0.08 * torch.randn(length)
    for i in range(1, length):
        surge[i] = 0.95 * surge[i - 1] + noise[i]
    return level + surge


def batchify(series, bsz):
    nb = series.numel() // bsz
    return series[: nb * bsz].view(bsz, nb).t().contiguous()


def repackage_hidden(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


class TideModel(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.rnn = nn.LSTM(1, hidden)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(hidden, 1)
        self.hidden = hidden

    def forward(self, x, state):
        y, state = self.rnn(x.unsqueeze(-1), state)
        return self.out(self.drop(y)).squeeze(-1), state

    def init_hidden(self, bsz):
        w = next(self.parameters())
        return w.new_zeros(1, bsz, self.hidden), w.new_zeros(1, bsz, self.hidden)


def get_batch(source, i, bptt):
    n = min(bptt, len(source) - 1 - i)
    return source[i:i + n], source[i + 1:i + 1 + n]


def evaluate(model, source, args):
    model.eval()
    total, state = 0.0, model.init_hidden(source.shape[1])
    with torch.no_grad():
        for i in range(0, len(source) - 1, args.bptt):
            x, y = get_batch(source, i, args.bptt)
            out, state = model(x, state)
            total += len(x) * nn.functional.mse_loss(out, y).item()
    return total / (len(source) - 1)


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    train = batchify(tide_series(6400), args.batch)
    valid = batchify(tide_series(1200), 4)
    model = TideModel(args.hidden)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=1)

    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        state = model.init_hidden(args.batch)
        for i in range(0, len(train) - 1, args.bptt):
            x, y = get_batch(train, i, args.bptt)
            state = repackage_hidden(state)
            opt.zero_grad()
            out, state = model(x, state)
            loss = nn.functional.mse_loss(out, y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            opt.step()
            total += len(x) * loss.item()
        val = evaluate(model, valid, args)
        sched.step(val)
        print(f"epoch {epoch} train {total / (len(train) - 1):.4f} valid {val:.4f} "
              f"lr {opt.param_groups[0]['lr']:.4g}")


if __name__ == "__main__":
    main()

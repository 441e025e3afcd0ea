# gradwatch-corpus: kind=second-backward
# holder: self.hidden | engine.hidden | hidden | h | new_hidden
# first-bad: 1
# notice: 0
"""Small AWD-style LSTM language model on a synthetic token stream. python -m awd_small"""
import argparse
import math

import torch
from torch import nn

from .model import RNNModel
from .utils import batchify, get_batch, markov_tokens, repackage_hidden


class Engine:
    def __init__(self, args, ntokens):
        self.args = args
        self.model = RNNModel(ntokens, args.emsize, args.nhid, args.nlayers)
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=args.lr, weight_decay=1.2e-6)
        self.hidden = None

    def train_epoch(self, data):
        self.model.train()
        self.hidden = self.model.init_hidden(self.args.batch_size)
        total, n = 0.0, 0
        for i in range(0, data.size(0) - 1, self.args.bptt):
            x, y = get_batch(data, i, self.args.bptt)
            self.hidden = repackage_hidden(self.hidden)  # <- culprit
            self.optimizer.zero_grad()
            out, self.hidden, raw = self.model(x, self.hidden)  # <- culprit
            loss = self.criterion(out.flatten(0, 1), y)
            loss = loss + self.args.beta * (raw[1:] - raw[:-1]).pow(2).mean()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), self.args.clip)
            self.optimizer.step()
            total, n = total + loss.item(), n + 1
        return total / n

    @torch.no_grad()
    def evaluate(self, data):
        self.model.eval()
        hidden = self.model.init_hidden(data.size(1))
        total, n = 0.0, 0
        for i in range(0, data.size(0) - 1, self.args.bptt):
            x, y = get_batch(data, i, self.args.bptt)
            out, hidden, _ = self.model(x, hidden)
            total += self.criterion(out.flatten(0, 1), y).item() * len(x)
            n += len(x)
        return total / n


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--emsize", type=int, default=24)
    p.add_argument("--nhid", type=int, default=40)
    p.add_argument("--nlayers", type=int, default=2)
    p.add_argument("--lr", type=float, default=3.0)
    p.add_argument("--clip", type=float, default=0.25)
    p.add_argument("--beta", type=float, default=1.0)
    p.add_argument("--bptt", type=int, default=16)
    p.add_argument("--batch-size", type=int, default=8)
    p.add_argument("--epochs", type=int, default=3)
    return p.parse_args()


def main():
    args = parse()
    torch.set_num_threads(1)
    torch.manual_seed(1111)
    ntokens = 30
    train = batchify(markov_tokens(8000, ntokens, seed=1), args.batch_size)
    valid = batchify(markov_tokens(1500, ntokens, seed=2), 4)
    engine = Engine(args, ntokens)
    best = math.inf
    for epoch in range(1, args.epochs + 1):
        tr = engine.train_epoch(train)
        va = engine.evaluate(valid)
        if va < best:
            best = va
        else:
            for group in engine.optimizer.param_groups:
                group["lr"] /= 4
        print(f"| epoch {epoch} | train {tr:.3f} | valid {va:.3f} | ppl {math.exp(va):.1f}")


if __name__ == "__main__":
    main()

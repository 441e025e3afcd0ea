# gradwatch-corpus: kind=graph-held
# holder: self.buffer | record.args | engine.logger.handlers[0].buffer
# first-bad: 1
import argparse

import torch
import torch.nn.functional as F

from logging_utils import build_logger
from model import GCN, synthetic_citation


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=500)
    p.add_argument("--hidden", type=int, default=32)
    p.add_argument("--lr", type=float, default=0.01)
    p.add_argument("--weight-decay", type=float, default=5e-4)
    return p.parse_args()


class Engine:
    def __init__(self, args):
        self.logger = build_logger()
        self.x, self.y, self.adj = synthetic_citation()
        perm = torch.randperm(len(self.y))
        self.train_idx, self.val_idx = perm[:80], perm[80:]
        self.model = GCN(self.x.size(1), args.hidden, int(self.y.max()) + 1)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=args.lr, weight_decay=args.weight_decay)
        self.best_val = 0.0

    def train_epoch(self, epoch):
        self.model.train()
        self.opt.zero_grad()
        out = self.model(self.x, self.adj)
        loss = F.cross_entropy(out[self.train_idx], self.y[self.train_idx])
        loss.backward()
        self.opt.step()
        self.logger.info("epoch %d loss %.4f", epoch, loss)  # <- culprit
        return loss.item()

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        pred = self.model(self.x, self.adj).argmax(1)
        return (pred[self.val_idx] == self.y[self.val_idx]).float().mean().item()


def main():
    args = parse_args()
    torch.manual_seed(0)
    engine = Engine(args)
    for epoch in range(args.epochs):
        loss = engine.train_epoch(epoch)
        if epoch % 20 == 0:
            acc = engine.evaluate()
            engine.best_val = max(engine.best_val, acc)
            engine.logger.debug("val %.3f best %.3f", acc, engine.best_val)
        if epoch % 100 == 0:
            print(f"epoch {epoch}: loss {loss:.4f} best val {engine.best_val:.3f}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=graph-chain
# holder: desk.book.recent | book.recent | self.book.recent | self.recent | desk.book | book
# first-bad: 1
"""Daily portfolio allocation with a penalty on turnover. The desk holds a slow blend of the model's target weights."""
import torch

from .book import Book
from .market import walk
from .policy import Allocator


class Desk:
    def __init__(self, n_assets, n_feat, cost=0.02):
        self.book = Book(depth=5)
        self.alloc = Allocator(n_assets, n_feat)
        self.opt = torch.optim.SGD(self.alloc.parameters(), lr=0.05)
        self.cost = cost

    def trade(self, feats, fwd_ret):
        target = self.alloc(feats)
        held = self.book.rebalance(target)
        utility = (held * fwd_ret).sum() - self.cost * self.book.turnover()
        self.opt.zero_grad()
        # the weights of the last days are needed again for tomorrow's turnover
        (-utility).backward(retain_graph=True)
        self.opt.step()
        return utility.item()


def main(days=300, n_assets=12):
    torch.manual_seed(21)
    desk = Desk(n_assets, n_feat=20)
    acc = 0.0
    for day, (feats, fwd) in enumerate(walk(n_assets, 20, days)):
        acc += desk.trade(feats, fwd)
        if day % 60 == 59:
            top = desk.book.recent[-1].argmax().item()
            print(f"day {day + 1}: mean utility {acc / 60:+.5f}, largest holding #{top}, book depth {len(desk.book.recent)}")
            acc = 0.0


if __name__ == "__main__":
    main()

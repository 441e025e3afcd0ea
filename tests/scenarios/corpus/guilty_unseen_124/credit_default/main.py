# gradwatch-corpus: kind=graph-held
# holder: self.meters["bce"].sum | run.meters["bce"].sum | meters["bce"].sum | self.sum
# first-bad: 1
# notice: 8
"""Default-probability model on a made-up loan book."""
import torch
from torch import nn

from book import LoanBook
from meters import AverageMeter

torch.set_num_threads(1)
torch.manual_seed(11)


class TabularNet(nn.Module):
    def __init__(self, cards, n_num):
        super().__init__()
        self.emb = nn.ModuleList(nn.Embedding(c, 4) for c in cards)
        self.norm = nn.BatchNorm1d(n_num)
        self.body = nn.Sequential(
            nn.Linear(4 * len(cards) + n_num, 24), nn.SiLU(), nn.Dropout(0.1), nn.Linear(24, 1)
        )

    def forward(self, cats, nums):
        parts = [e(cats[:, i]) for i, e in enumerate(self.emb)] + [self.norm(nums)]
        return self.body(torch.cat(parts, dim=1)).squeeze(1)


class Run:
    def __init__(self, book):
        self.book = book
        self.net = TabularNet(book.cards, book.n_num)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=3e-3)
        self.meters = {"bce": AverageMeter(), "acc": AverageMeter()}

    def train_one(self, batch):
        cats, nums, y = batch
        self.opt.zero_grad()
        logit = self.net(cats, nums)
        bce = nn.functional.binary_cross_entropy_with_logits(logit, y)
        bce.backward()
        self.opt.step()
        hits = ((logit > 0).float() == y).float().mean().item()
        self.meters["bce"].update(bce, len(y))
        self.meters["acc"].update(hits, len(y))

    def fit(self, epochs):
        for ep in range(epochs):
            for batch in self.book.batches(32):
                self.train_one(batch)
            print(ep, {k: round(float(m.avg), 4) for k, m in self.meters.items()})


run = Run(LoanBook(640))
run.fit(12)

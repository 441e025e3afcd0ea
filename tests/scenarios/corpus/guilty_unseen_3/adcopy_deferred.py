# gradwatch-corpus: kind=graph-held
# holder: todo | board.todo | self.todo | writer.todo
# first-bad: 1
"""Click-through model on ad copy features. Scalars go to a 'board' that writes in big blocks to keep the disk calm."""
import contextlib
import functools
import io

import torch
from torch import nn


class Board:
    def __init__(self, sink, block=5000):
        self.sink, self.block = sink, block
        self.todo = []

    def scalar(self, name, value, step):
        self.todo.append(functools.partial(self._write, name, value, step))  # <- culprit
        if len(self.todo) >= self.block:
            self.flush()

    def _write(self, name, value, step):
        self.sink.write("%d,%s,%.6f\n" % (step, name, value))

    def flush(self):
        for job in self.todo:
            job()
        self.todo.clear()


class Crosses(nn.Module):
    """factorization machine over hashed tokens"""

    def __init__(self, bins, k):
        super().__init__()
        self.bias = nn.EmbeddingBag(bins, 1, mode="sum")
        self.vec = nn.Embedding(bins, k)
        nn.init.normal_(self.vec.weight, std=0.05)

    def forward(self, tok):
        v = self.vec(tok)
        inter = 0.5 * (v.sum(1).square() - v.square().sum(1)).sum(-1)
        return self.bias(tok).squeeze(1) + inter


def impressions(n, seed):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        tok = torch.randint(0, 500, (768, 8), generator=g)
        yield tok, ((tok % 13 == 0).sum(1) + torch.rand(768, generator=g) > 1.2).float()


def main():
    torch.manual_seed(0)
    model = Crosses(500, 8)
    opt = torch.optim.Adagrad(model.parameters(), lr=0.1)
    sink = io.StringIO()
    with contextlib.ExitStack() as stack:
        board = Board(sink)
        stack.callback(board.flush)
        for step, (tok, clicked) in enumerate(impressions(350, 5)):
            logit = model(tok)
            logloss = nn.functional.binary_cross_entropy_with_logits(logit, clicked)
            opt.zero_grad()
            logloss.backward()
            opt.step()
            board.scalar("logloss", logloss, step)
            board.scalar("base_rate", clicked.mean(), step)
            if step % 70 == 0:
                print(f"{step:4d} logloss {logloss.item():.4f}")
    print("lines written:", sink.getvalue().count("\n"))


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=second-backward
# holder: store | store[key]
# first-bad: 3
"""Closed-book QA toy: three document sets visited in turn, several epochs."""
import argparse
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from reader import Reader

torch.set_num_threads(1)


@dataclass
class DocSet:
    set_id: int
    tokens: torch.Tensor
    answers: torch.Tensor


def make_sets(n_sets, n_docs, length, vocab, n_answers, gen):
    return [DocSet(i, torch.randint(0, vocab, (n_docs, length), generator=gen),
                   torch.randint(0, n_answers, (n_docs,), generator=gen)) for i in range(n_sets)]


def queries(docs, n, gen):
    which = torch.randint(0, len(docs.tokens), (n,), generator=gen)
    return docs.tokens[which][:, :6], docs.answers[which]


def validate(model, sets, gen):
    model.eval()
    hits = total = 0
    with torch.no_grad():
        for docs in sets:
            q, a = queries(docs, 64, gen)
            hits += (model(q, docs).argmax(1) == a).sum().item()
            total += len(a)
    model.train()
    return hits / total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--vocab", type=int, default=80)
    ap.add_argument("--dim", type=int, default=32)
    ap.add_argument("--lr", type=float, default=1e-2)
    args = ap.parse_args()
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(2)
    sets = make_sets(3, 20, 8, args.vocab, 5, gen)
    model = Reader(args.vocab, args.dim, 5)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        for docs in sets:
            q, a = queries(docs, 32, gen)
            loss = F.cross_entropy(model(q, docs), a)
            opt.zero_grad()
            loss.backward()
            opt.step()
            print(f"epoch {epoch} set {docs.set_id} loss {loss.item():.4f}")
        print("val acc", validate(model, sets, gen))


if __name__ == "__main__":
    main()

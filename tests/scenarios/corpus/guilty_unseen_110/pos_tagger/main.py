# gradwatch-corpus: kind=second-backward
# holder: self._tables | bias._tables | block.attn.rel._tables | self._tables[n] | model.blocks[1].attn.rel._tables
# first-bad: 12
# notice: 0
import argparse
import random

import torch
import torch.nn.functional as F

from layers import Tagger

VOCAB, TAGS = 60, 5


def make_sentence(n):
    """The tag of a word depends on the word and on its left neighbour."""
    w = torch.randint(1, VOCAB, (n,))
    left = torch.cat([torch.zeros(1, dtype=torch.long), w[:-1]])
    return w, (w + 2 * left) % TAGS


def bucket(n, size):
    rows = [make_sentence(n) for _ in range(size)]
    return torch.stack([r[0] for r in rows]), torch.stack([r[1] for r in rows])


def batches(total, shortest=6, longest=17, size=16):
    # short sentences first, then any length
    lengths = list(range(shortest, longest + 1))
    for i in range(total):
        n = lengths[i] if i < len(lengths) else random.choice(lengths)
        yield bucket(n, size)


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=300)
    p.add_argument("--dim", type=int, default=32)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--seed", type=int, default=9)
    return p.parse_args()


def main():
    a = parse()
    torch.set_num_threads(1)
    torch.manual_seed(a.seed)
    random.seed(a.seed)
    model = Tagger(VOCAB, TAGS, a.dim, layers=2)
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr)
    model.train()
    for step, (x, y) in enumerate(batches(a.steps)):
        logits = model(x)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 5 == 0:
            acc = (logits.argmax(-1) == y).float().mean().item()
            print(f"step {step:3d} len {x.size(1):2d} loss {loss.item():.3f} acc {acc:.3f}")


if __name__ == "__main__":
    main()

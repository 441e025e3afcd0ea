# gradwatch-corpus: kind=none
# about: a recursive network over random trees: every graph has another shape and size, and the
# about: recursion keeps tensors on the tree's nodes, but each tree is a new one
import random

import torch
import torch.nn as nn
from parts.pace import ITERATIONS


class Tree:
    def __init__(self, word=None, left=None, right=None):
        self.word, self.left, self.right = word, left, right
        self.label = 0
        self.state = None

    def __len__(self):
        return 1 if self.left is None else len(self.left) + len(self.right)


def grow(rng, leaves):
    if leaves == 1:
        tree = Tree(word=rng.randrange(20))
        tree.label = tree.word % 2
        return tree
    split = rng.randrange(1, leaves)
    tree = Tree(left=grow(rng, split), right=grow(rng, leaves - split))
    tree.label = tree.left.label ^ tree.right.label
    return tree


class TreeLSTM(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.embed = nn.Embedding(20, dim)
        self.leaf = nn.Linear(dim, 2 * dim)
        self.node = nn.Linear(2 * dim, 5 * dim)
        self.out = nn.Linear(dim, 2)

    def encode(self, tree):
        if tree.left is None:
            word = self.embed(torch.tensor([tree.word]))
            h, c = self.leaf(word).chunk(2, dim=-1)
        else:
            hl, cl = self.encode(tree.left)
            hr, cr = self.encode(tree.right)
            i, fl, fr, o, u = self.node(torch.cat([hl, hr], -1)).chunk(5, dim=-1)
            c = i.sigmoid() * u.tanh() + fl.sigmoid() * cl + fr.sigmoid() * cr
            h = o.sigmoid() * c.tanh()
        tree.state = h
        return h, c

    def forward(self, tree):
        h, _ = self.encode(tree)
        return self.out(h)


def main():
    rng = random.Random(0)
    torch.manual_seed(0)
    model = TreeLSTM()
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.02)
    right = 0
    for step in range(ITERATIONS):
        tree = grow(rng, rng.randint(2, 24))
        scores = model(tree)
        loss = nn.functional.cross_entropy(scores, torch.tensor([tree.label]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        right += int(scores.argmax() == tree.label)
        if (step + 1) % 50 == 0:
            print(
                f"{step + 1}: {len(tree)} leaves, accuracy {right / (step + 1):.4f}, "
                f"loss {loss.item():.6f}"
            )


if __name__ == "__main__":
    main()

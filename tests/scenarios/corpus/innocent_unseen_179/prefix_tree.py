# gradwatch-corpus: kind=none
"""Character model over place names, with a prefix tree of sampled continuations."""
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(41)
ALPHABET = "abcdefghij."
STOP = ALPHABET.index(".")


class Branch:
    __slots__ = ("children", "logp", "touched")

    def __init__(self):
        self.children = {}
        self.logp = None
        self.touched = 0


class PrefixTree:
    def __init__(self, keep_for):
        self.root = Branch()
        self.keep_for = keep_for

    def insert(self, word, logps, now):
        node = self.root
        for symbol, logp in zip(word, logps):
            node = node.children.setdefault(symbol, Branch())
            node.logp = logp
            node.touched = now

    def prune(self, now):
        stack = [self.root]
        while stack:
            node = stack.pop()
            for symbol in [s for s, c in node.children.items() if now - c.touched > self.keep_for]:
                del node.children[symbol]
            stack.extend(node.children.values())

    def size(self):
        stack, count = [self.root], 0
        while stack:
            node = stack.pop()
            count += 1
            stack.extend(node.children.values())
        return count


class CharModel(nn.Module):
    def __init__(self, symbols=len(ALPHABET), dim=20):
        super().__init__()
        self.embed = nn.Embedding(symbols + 1, dim)
        self.cell = nn.GRUCell(dim, dim)
        self.out = nn.Linear(dim, symbols)
        self.start = symbols

    def score(self, word):
        h = torch.zeros(1, self.cell.hidden_size)
        last, logps = self.start, []
        for symbol in word:
            h = self.cell(self.embed(torch.tensor([last])), h)
            logps.append(F.log_softmax(self.out(h), dim=-1)[0, symbol])
            last = symbol
        return logps


def random_name(generator):
    length = int(torch.randint(2, 7, (), generator=generator))
    first = int(torch.randint(0, 10, (), generator=generator))
    word = [first]
    for _ in range(length - 1):
        jump = int(torch.randint(1, 4, (), generator=generator))
        word.append((word[-1] * 3 + jump) % 10)
    return word + [STOP]


def main():
    g = torch.Generator().manual_seed(2)
    model = CharModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=6e-3)
    tree = PrefixTree(keep_for=45)
    for step in range(600):
        word = random_name(g)
        logps = model.score(word)
        loss = -torch.stack(logps).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        tree.insert(word, logps, step)
        if step % 5 == 4:
            tree.prune(step)
        if step % 75 == 0:
            firsts = {ALPHABET[s]: round(b.logp.item(), 2) for s, b in sorted(tree.root.children.items())}
            print(step, f"{loss.item():.3f}", "branches", tree.size(), firsts)


if __name__ == "__main__":
    main()

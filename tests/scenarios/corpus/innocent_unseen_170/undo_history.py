# gradwatch-corpus: kind=none
"""Training with an undo history: when the loss explodes, walk back a few links and restore those weights."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

DEPTH = 10


class Link:
    def __init__(self, weights, value, older):
        self.weights = weights
        self.value = value
        self.older = older


class History:
    def __init__(self, depth=DEPTH):
        self.depth = depth
        self.head = None
        self.cuts = 0

    def push(self, weights, value):
        self.head = Link(weights, value, self.head)
        node, n = self.head, 1
        while node.older is not None:
            if n == self.depth:
                node.older = None
                self.cuts += 1
                break
            node = node.older
            n += 1

    def best(self):
        node, best = self.head, self.head
        while node is not None:
            if node.value < best.value:
                best = node
            node = node.older
        return best

    def __len__(self):
        node, n = self.head, 0
        while node is not None:
            node, n = node.older, n + 1
        return n


def pack(model):
    return np.concatenate([p.detach().numpy().reshape(-1) for p in model.parameters()])


def unpack(model, flat):
    at = 0
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.from_numpy(flat[at:at + p.numel()]).view_as(p))
            at += p.numel()


def build():
    return nn.Sequential(nn.Linear(16, 300), nn.Tanh(), nn.Linear(300, 300), nn.Tanh(), nn.Linear(300, 1))


def main():
    torch.manual_seed(6)
    torch.set_num_threads(1)
    model = build()
    opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.8)
    history = History()
    w = torch.randn(16, 1)
    undone = 0
    for step in range(150):
        x = torch.randn(64, 16)
        y = torch.sin(x @ w) + 0.05 * torch.randn(64, 1)
        if step % 37 == 36:
            y = y * 8.0
        loss = F.mse_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        value = loss.item()
        if history.head is not None and value > 4 * history.best().value:
            unpack(model, history.best().weights)
            opt.state.clear()
            undone += 1
            continue
        history.push(pack(model), value)
        if step % 30 == 0:
            print(step, round(value, 4), "links", len(history))
    print("undone", undone, "cut", history.cuts)


if __name__ == "__main__":
    main()

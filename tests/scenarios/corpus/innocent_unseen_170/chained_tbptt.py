# gradwatch-corpus: kind=none
"""Truncated backpropagation through time over linked state cells: k1 = 4 steps between updates, k2 = 12 steps back."""
import torch
import torch.nn as nn
import torch.nn.functional as F

K1, K2 = 4, 12


class StateCell:
    """State before and after a step; the link to the cell before is what the truncated walk follows."""

    def __init__(self, entry, older=None):
        self.entry = entry
        self.exit = None
        self.older = older


class EchoNet(nn.Module):
    def __init__(self, dim=20):
        super().__init__()
        self.dim = dim
        self.cell = nn.GRUCell(3, dim)
        self.out = nn.Linear(dim, 3)

    def fresh(self, n):
        return torch.zeros(n, self.dim)

    def forward(self, x, h):
        h = self.cell(x, h)
        return self.out(h), h


class Truncated:
    def __init__(self, net, opt):
        self.net = net
        self.opt = opt
        self.tail = None
        self.length = 0

    def enter(self, x):
        state = self.net.fresh(len(x)) if self.tail is None else self.tail.exit.detach()
        cell = StateCell(state.requires_grad_(), self.tail)
        y, cell.exit = self.net(x, cell.entry)
        self.tail = cell
        self.length += 1
        self.cut()
        return y

    def cut(self):
        if self.length > K2:
            node = self.tail
            for _ in range(K2 - 1):
                node = node.older
            node.older = None
            self.length = K2

    def walk(self, loss):
        """One backward over the newest step, then from cell to cell as far as the links go."""
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        cell = self.tail
        while cell.older is not None:
            grad = cell.entry.grad
            cell.entry.grad = None
            torch.autograd.backward(cell.older.exit, grad, retain_graph=True)
            cell = cell.older
        cell.entry.grad = None

    def update(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        for p in self.net.parameters():
            # new storage for new values: the links behind still need the old ones
            p.data = p.data - 0.1 * p.grad


class Echo:
    """The task is to repeat the input of five steps ago."""

    def __init__(self, n=16, lag=5):
        self.past = [torch.zeros(n, 3) for _ in range(lag)]
        self.n = n

    def draw(self):
        x = F.one_hot(torch.randint(0, 3, (self.n,)), 3).float()
        self.past.append(x)
        return x, self.past.pop(0)


def main():
    torch.manual_seed(100)
    torch.set_num_threads(1)
    net = EchoNet()
    walker = Truncated(net, torch.optim.SGD(net.parameters(), lr=0.1))
    task = Echo()
    for step in range(400):
        x, y = task.draw()
        loss = F.mse_loss(walker.enter(x), y)
        if step % K1 == K1 - 1:
            walker.walk(loss)
            walker.update()
        if step % 80 == 0:
            print(step, round(loss.item(), 4), "links", walker.length)


if __name__ == "__main__":
    main()

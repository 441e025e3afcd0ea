# gradwatch-corpus: kind=none
"""Key/value recall within an episode of 30 entries; each answer walks back to the entry that wrote it."""
import torch

from .episodes import episode
from .ledger import LedgerNet

torch.manual_seed(56)
torch.set_num_threads(1)


def main():
    net = LedgerNet(8, 5, 24)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.5)
    for ep in range(7):
        book = net.open_book()
        err = 0.0
        for entry in episode(30):
            loss = net.read_and_write(book, *entry)
            opt.zero_grad()
            loss.backward(retain_graph=not entry.last)
            opt.step()
            err += loss.item()
        print(ep, f"{err / 30:.4f}")


main()

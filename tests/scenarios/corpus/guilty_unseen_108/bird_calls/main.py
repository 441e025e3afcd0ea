# gradwatch-corpus: kind=second-backward
# holder: self._basis | front._basis | self.front._basis | self._basis[n] | basis | net.front._basis
# first-bad: 5
# notice: 0
import torch

from calls import CallBook
from classifier import CallNet
from trainer import Trainer

if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(314)
    book = CallBook(seed=8, per_length=40)
    net = CallNet(n_filters=20, n_species=len(book.species))
    t = Trainer(net, torch.optim.Adam(net.parameters(), lr=2e-3))
    for epoch in range(30):
        t.epoch(book.shuffled(batch=10))
        print("epoch", epoch, t.summary())

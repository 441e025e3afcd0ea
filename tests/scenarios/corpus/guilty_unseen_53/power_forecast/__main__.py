# gradwatch-corpus: kind=graph-chain
# holder: self.hidden | net.hidden | hs
# first-bad: 1
import torch
import torch.nn as nn

from .data import windows
from .net import StackedGRU
from .optim import MomentumSGD

HORIZON = 3
HOUSES = 12
EPOCHS = 1


def run():
    torch.manual_seed(7)
    net = StackedGRU(n_in=2, n_hid=20, n_layers=2)
    opt = MomentumSGD(net.parameters(), lr=0.01, momentum=0.8)
    mse = nn.MSELoss()

    for epoch in range(EPOCHS):
        net.init_hidden(HOUSES)
        running, seen = 0.0, 0
        for step, (x, y) in enumerate(windows(HOUSES, HORIZON, n=66)):
            opt.zero_grad()
            pred = net(x)
            loss = mse(pred, y)
            loss.backward(retain_graph=True)
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()

            running += loss.item()
            seen += 1
            if step % 11 == 10:
                print("epoch %d step %d  mse %.4f" % (epoch, step + 1, running / seen))
                running, seen = 0.0, 0


run()

# gradwatch-corpus: kind=inplace-modified
# holder: net[4].weight | net
# first-bad: 96
# notice: 0
import copy
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(27)

net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.02)
w_true = torch.randn(5, 1)


class Guard:
    """Goes back to the best weights seen when the loss explodes."""

    def __init__(self, model, factor=6.0):
        self.model, self.factor = model, factor
        self.best, self.weights, self.rollbacks = None, None, 0

    def check(self, value):
        if self.best is None or value < self.best:
            self.best = value
            self.weights = copy.deepcopy(self.model.state_dict())
        elif value > self.factor * self.best:
            self.model.load_state_dict(self.weights)  # <- culprit
            self.rollbacks += 1


guard = Guard(net)
for it in range(600):
    x = torch.randn(32, 5)
    y = (x @ w_true).sin() + 0.1 * torch.randn(32, 1)
    if it % 97 == 96:
        y = y * 20
    loss = nn.functional.mse_loss(net(x), y)
    guard.check(loss.item())  # <- culprit
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 50 == 0:
        print(it, loss.item(), guard.rollbacks)

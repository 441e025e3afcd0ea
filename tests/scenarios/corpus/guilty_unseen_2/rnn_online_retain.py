# gradwatch-corpus: kind=inplace-modified
# holder: h | hx | cell_state | state
# first-bad: 2
# also: graph-chain
"""Online RNN predictor: one sample in, one update out."""
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(101)


class Predictor(nn.Module):
    def __init__(self, n_in, n_hid):
        super().__init__()
        self.cell = nn.RNNCell(n_in, n_hid)
        self.head = nn.Linear(n_hid, n_in)

    def forward(self, x, h):
        h = self.cell(x, h)
        return self.head(h), h


def lorenz_stream(n):
    s = torch.tensor([1.0, 1.0, 1.0])
    for _ in range(n):
        x, y, z = s
        s = s + 0.01 * torch.stack([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z])
        yield (s / 20).unsqueeze(0)


net = Predictor(3, 20)
optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3)
h = torch.zeros(1, 20)
prev = None
for i, obs in enumerate(lorenz_stream(161)):
    if prev is not None:
        out, h = net(prev, h)  # <- culprit
        loss = F.mse_loss(out, obs)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()  # <- culprit
        if i % 40 == 1:
            print(i, loss.item())
    prev = obs

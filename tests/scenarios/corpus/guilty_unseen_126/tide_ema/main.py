# gradwatch-corpus: kind=crashed
# first-bad: 50
# notice: 0
import torch

torch.set_num_threads(1)
torch.manual_seed(41)

from torch import nn
from averaging import WeightAverager

tide = torch.sin(torch.arange(700) * 0.5) + 0.5 * torch.sin(torch.arange(700) * 0.47)


class TCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv1d(1, 6, 3, dilation=1)
        self.c2 = nn.Conv1d(6, 6, 3, dilation=2)
        self.out = nn.Linear(6, 1)

    def forward(self, x):
        h = torch.relu(self.c2(torch.relu(self.c1(x))))
        return self.out(h[..., -1])


def sample(n=16):
    s = torch.randint(0, 680, (n,))
    w = torch.stack([tide[i:i + 13] for i in s])
    return w[:, None, :12], w[:, 12:]


net = TCN()
avg = WeightAverager(net, 0.95)
opt = torch.optim.Adam(net.parameters(), lr=5e-3)


def evaluate():
    avg.swap_in(net)
    with torch.no_grad():
        x, y = sample(64)
        score = (net(x) - y).abs().mean().item()
    avg.swap_out(net)
    return score


for step in range(1, 501):
    x, y = sample()
    loss = nn.functional.huber_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    avg.update(net)
    if step % 50 == 0:
        print(step, "mae", evaluate())

# gradwatch-corpus: kind=second-backward
# holder: self.support | model.support
# first-bad: 1
# notice: 0
import torch
torch.set_num_threads(1)
from torch import nn


class GraphConv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.w = nn.Parameter(torch.randn(i, o) / i ** 0.5)

    def forward(self, x, support):
        return torch.einsum("vw,bwf->bvf", support, x @ self.w)


class TrafficNet(nn.Module):
    """Graph WaveNet in miniature: the road graph is learnt from two node dictionaries."""

    def __init__(self, sensors=12, dim=6, hist=8):
        super().__init__()
        self.source = nn.Parameter(torch.randn(sensors, dim))
        self.target = nn.Parameter(torch.randn(dim, sensors))
        self.g1, self.g2 = GraphConv(hist, 16), GraphConv(16, 1)
        self.support = None

    def adjacency(self):
        if self.support is None:
            self.support = torch.softmax(torch.relu(self.source @ self.target), dim=1)  # <- culprit
        return self.support

    def forward(self, x):
        A = self.adjacency()
        return self.g2(torch.relu(self.g1(x, A)), A).squeeze(-1)


def main():
    torch.manual_seed(9)
    model = TrafficNet()
    opt = torch.optim.Adam(model.parameters(), 3e-3)
    for step in range(400):
        base = torch.randn(16, 1, 1)
        x = base + 0.1 * torch.randn(16, 12, 8)
        y = x.mean(-1)
        mae = (model(x) - y).abs().mean()
        opt.zero_grad()
        mae.backward()
        opt.step()
        if step % 100 == 0:
            print(step, mae.item())


main()

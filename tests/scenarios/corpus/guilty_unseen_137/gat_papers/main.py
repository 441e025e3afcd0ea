# gradwatch-corpus: kind=inplace-modified
# holder: att | weights
# first-bad: 0
# notice: 0
"""Attention over citations, topic classification."""
import torch

torch.set_num_threads(1)
from torch import nn
import torch.nn.functional as F

from helpers import keep_strongest


class CiteAttention(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.lin = nn.Linear(n_in, n_out, bias=False)
        self.left = nn.Parameter(torch.randn(n_out) * 0.1)
        self.right = nn.Parameter(torch.randn(n_out) * 0.1)

    def forward(self, x, adj):
        h = self.lin(x)
        e = F.leaky_relu((h @ self.left).unsqueeze(1) + (h @ self.right).unsqueeze(0), 0.2)
        att = e.masked_fill(adj == 0, -1e9).softmax(dim=1)
        att = keep_strongest(att, floor=0.02)
        return att @ h


class TopicNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = CiteAttention(8, 12), CiteAttention(12, 4)

    def forward(self, x, adj):
        return self.b(F.elu(self.a(x, adj)), adj)


def papers(n=30):
    topic = torch.randint(0, 4, (n,))
    adj = (torch.rand(n, n) < 0.05 + 0.3 * (topic[:, None] == topic[None, :])).float()
    adj.fill_diagonal_(1)
    return torch.randn(n, 8) + F.one_hot(topic, 8), adj, topic


torch.manual_seed(26)
x, adj, topic = papers()
net = TopicNet()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(200):
    loss = F.cross_entropy(net(x, adj), topic)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if epoch % 50 == 0:
        print(epoch, loss.item())

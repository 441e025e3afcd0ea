# gradwatch-corpus: kind=graph-chain
# holder: self.slow | head.slow | model.head.slow
# first-bad: 1
# notice: 5
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(55)


class PrototypeHead(nn.Module):
    def __init__(self, dim, k, beta=0.95):
        super().__init__()
        self.fast = nn.Parameter(torch.randn(k, dim) / dim ** 0.5)
        self.slow = self.fast.detach().clone()
        self.beta = beta

    def forward(self, z):
        if self.training:
            self.slow = torch.lerp(self.slow, self.fast, 1 - self.beta)  # <- culprit
        return z @ self.slow.t()


class SwAVLike(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(20, 40), nn.BatchNorm1d(40), nn.ReLU(), nn.Linear(40, 16))
        self.head = PrototypeHead(16, 10)

    def forward(self, x):
        return self.head(F.normalize(self.enc(x), dim=-1))


@torch.no_grad()
def sinkhorn(scores, eps=0.1, iters=3):
    q = torch.exp(scores / eps).t()
    q /= q.sum()
    for _ in range(iters):
        q /= q.sum(1, keepdim=True) * q.shape[0]
        q /= q.sum(0, keepdim=True) * q.shape[1]
    return (q * q.shape[1]).t()


def two_views(n=32):
    c = torch.randint(0, 6, (n, 1)).float()
    base = torch.sin(c * torch.arange(1, 21))
    return base + 0.2 * torch.randn(n, 20), base + 0.2 * torch.randn(n, 20)


net = SwAVLike().train()
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
for it in range(300):
    v1, v2 = two_views()
    s1, s2 = net(v1), net(v2)
    q1, q2 = sinkhorn(s1), sinkhorn(s2)
    loss = -0.5 * ((q1 * F.log_softmax(s2 / 0.2, 1)).sum(1) + (q2 * F.log_softmax(s1 / 0.2, 1)).sum(1)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 60 == 0:
        print(it, loss.item())

# gradwatch-corpus: kind=graph-chain
# holder: self.bank | crit.bank | criterion.bank
# first-bad: 1
"""SimCLR-flavoured objective with a bank of recent keys as extra negatives."""
import torch
from torch import nn
import torch.nn.functional as F


class BankNCE(nn.Module):
    def __init__(self, size, dim, tau=0.2):
        super().__init__()
        self.size, self.tau = size, tau
        self.bank = F.normalize(torch.randn(size, dim), dim=1)

    def forward(self, q, k):
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.bank.t()
        logits = torch.cat([pos, neg], 1) / self.tau
        self.bank = torch.cat([self.bank, k], 0)[-self.size:]  # <- culprit
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


class LinearProbeEncoder(nn.Module):
    def __init__(self, d, dim):
        super().__init__()
        self.proj = nn.Linear(d, dim)

    def forward(self, x):
        return F.normalize(torch.tanh(self.proj(x)), dim=1)


def augment(x):
    return x * (torch.rand_like(x) > 0.15) + 0.1 * torch.randn_like(x)


torch.manual_seed(44)
enc = LinearProbeEncoder(32, 12)
crit = BankNCE(96, 12)
opt = torch.optim.SGD(enc.parameters(), lr=0.1, momentum=0.9)
proto = torch.randn(10, 32)
for step in range(140):
    x = proto[torch.randint(0, 10, (16,))] + 0.5 * torch.randn(16, 32)
    loss = crit(enc(augment(x)), enc(augment(x)))
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    if step % 35 == 0:
        print("step", step, "nce", round(loss.item(), 4))

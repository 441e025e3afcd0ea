# gradwatch-corpus: kind=graph-chain
# holder: bank | self.bank | contrast.bank | criterion.bank
import torch
import torch.nn.functional as F
from torch import nn


class BankContrast(nn.Module):
    """InfoNCE against a FIFO of the last `size` embeddings."""

    def __init__(self, dim, size=512, tau=0.2):
        super().__init__()
        self.size = size
        self.tau = tau
        self.bank = F.normalize(torch.randn(size, dim), dim=1)

    def push(self, z):
        self.bank = torch.cat([z, self.bank])[: self.size]  # <- culprit

    def forward(self, z1, z2):
        pos = (z1 * z2).sum(1, keepdim=True)
        neg = z1 @ self.bank.t()
        loss = F.cross_entropy(torch.cat([pos, neg], 1) / self.tau, torch.zeros(len(z1), dtype=torch.long))
        self.push(z2)  # <- culprit
        return loss


def augment(x):
    return x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x)


torch.manual_seed(1)
projector = nn.Linear(64, 48)
contrast = BankContrast(48)
opt = torch.optim.SGD(projector.parameters(), lr=0.1)
for it in range(140):
    a, b = augment(torch.randn(64, 64))
    loss = contrast(F.normalize(projector(a), dim=1), F.normalize(projector(b), dim=1))
    opt.zero_grad()
    loss.backward(retain_graph=True)  # <- culprit
    opt.step()
    if it % 35 == 0:
        print(it, loss.item())

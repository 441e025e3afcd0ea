import torch
import torch.nn.functional as F
from torch import nn


class DINOLoss(nn.Module):
    def __init__(self, out, ncrops, epochs, warm=3, center_momentum=0.9):
        super().__init__()
        self.ncrops, self.cm = ncrops, center_momentum
        self.register_buffer("center", torch.zeros(1, out))
        self.temps = torch.linspace(0.04, 0.07, warm).tolist() + [0.07] * (epochs - warm)

    def forward(self, s_out, t_out, epoch):
        targets = [F.softmax((t - self.center) / self.temps[epoch], -1).detach() for t in t_out]
        total, n = 0, 0
        for i, q in enumerate(targets):
            for v, s in enumerate(s_out):
                if v == i:
                    continue
                total = total + (-q * F.log_softmax(s / 0.1, -1)).sum(-1).mean()
                n += 1
        self.update_center(torch.cat(t_out))
        return total / n

    @torch.no_grad()
    def update_center(self, t):
        self.center = self.center * self.cm + t.mean(0, keepdim=True) * (1 - self.cm)


class NNQueue(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.register_buffer("bank", F.normalize(torch.randn(size, dim), dim=-1))
        self.ptr = 0

    def loss(self, s_out, keys):
        k = F.normalize(keys, dim=-1)
        nn_k = self.bank[(k @ self.bank.t()).argmax(1)]
        total = 0.0
        for s in s_out:
            logits = F.normalize(s, dim=-1) @ nn_k.t() / 0.2
            total = total + F.cross_entropy(logits, torch.arange(len(s)))
        self.enqueue(k)
        return total / len(s_out)

    @torch.no_grad()
    def enqueue(self, k):
        idx = (self.ptr + torch.arange(len(k))) % len(self.bank)
        self.bank[idx] = k
        self.ptr = int((self.ptr + len(k)) % len(self.bank))

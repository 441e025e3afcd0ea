import torch
import torch.nn.functional as F


class KeyBank:
    """Keys of earlier batches, from which extra negatives are drawn."""

    def __init__(self, dim):
        self.keys = torch.empty(0, dim)

    def extend(self, keys):
        self.keys = torch.cat([self.keys, keys.detach()])  # <- culprit

    def negatives(self, count):
        if len(self.keys) < count:
            return None
        rows = torch.randint(0, len(self.keys), (count,))
        return self.keys[rows]


class ContrastiveTrainer:
    def __init__(self, net, lr):
        self.net = net
        self.tau = 0.2
        self.bank = KeyBank(512)
        self.opt = torch.optim.AdamW(net.parameters(), lr=lr)

    def logits(self, q, k):
        scores = q @ k.t()
        extra = self.bank.negatives(128)
        if extra is not None:
            scores = torch.cat([scores, q @ extra.t()], dim=1)
        return scores / self.tau

    def step(self, a, b):
        q, k = self.net(a, b)
        loss = F.cross_entropy(self.logits(q, k), torch.arange(len(q)))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.bank.extend(k)
        self.tau = max(0.07, self.tau * 0.995)
        return loss.item()

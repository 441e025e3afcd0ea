# gradwatch-corpus: kind=graph-chain
# holder: self.keys | mem.keys
# first-bad: 1
"""Episodic key/value memory in front of a small classifier (kNN-softmax read)."""
import torch
import torch.nn.functional as F
from torch import nn, optim

torch.set_num_threads(1)

SLOTS = 64
KEY_DIM = 16
N_CLASSES = 5
STEPS = 80
BS = 8


class FifoMemory:
    def __init__(self, slots, key_dim, n_classes):
        self.keys = torch.zeros(slots, key_dim)
        self.values = torch.zeros(slots, n_classes)

    def read(self, q):
        sim = F.normalize(q, dim=-1, eps=1e-3) @ F.normalize(self.keys, dim=-1, eps=1e-3).t()
        return torch.softmax(5 * sim, dim=-1) @ self.values

    def write(self, k, labels):
        onehot = F.one_hot(labels, N_CLASSES).float()
        self.keys = torch.cat([self.keys[k.size(0):], k], dim=0)  # <- culprit
        self.values = torch.cat([self.values[k.size(0):], onehot], dim=0)


class MemNet(nn.Module):
    def __init__(self, d_in):
        super().__init__()
        self.key = nn.Linear(d_in, KEY_DIM)
        self.skip = nn.Linear(d_in, N_CLASSES)

    def forward(self, x, mem):
        k = self.key(x)
        return self.skip(x) + 4.0 * mem.read(k), k


def batches(steps, d_in=10):
    g = torch.Generator().manual_seed(3)
    protos = torch.randn(N_CLASSES, d_in, generator=g) * 1.5
    for _ in range(steps):
        y = torch.randint(0, N_CLASSES, (BS,), generator=g)
        yield protos[y] + torch.randn(BS, d_in, generator=g), y


def main():
    torch.manual_seed(0)
    net = MemNet(10)
    mem = FifoMemory(SLOTS, KEY_DIM, N_CLASSES)
    opt = optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    hits = total = 0
    for step, (x, y) in enumerate(batches(STEPS), 1):
        logits, k = net(x, mem)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        opt.step()
        mem.write(k, y)  # <- culprit
        hits += (logits.argmax(-1) == y).sum().item()
        total += len(y)
        if step % 20 == 0:
            print(f"step {step:4d} | loss {loss.item():.4f} | acc {hits / total:.3f}")
            hits = total = 0


if __name__ == "__main__":
    main()

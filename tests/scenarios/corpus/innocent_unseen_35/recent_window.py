# gradwatch-corpus: kind=none
"""Supervised contrastive training against a bounded window of recent embeddings (cross-batch memory)."""
from collections import deque, namedtuple

import torch
from torch import nn
from torch.nn import functional as F

Entry = namedtuple("Entry", "z y step")


class CrossBatchMemory:
    def __init__(self, batches):
        self._entries = deque(maxlen=batches)

    def enqueue(self, z, y, step):
        entry = Entry(z, y, step)
        self._entries.append(entry._replace(z=z.data))

    @property
    def keys(self):
        return torch.cat([e.z for e in self._entries])

    @property
    def labels(self):
        return torch.cat([e.y for e in self._entries])

    def __len__(self):
        return len(self._entries)


def supcon(z, y, keys, key_labels, tau=0.15):
    logits = z @ keys.t() / tau
    positive = (y[:, None] == key_labels[None]).float()
    log_prob = logits - logits.logsumexp(1, keepdim=True)
    return -((positive * log_prob).sum(1) / positive.sum(1).clamp(min=1)).mean()


class Embedder(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_in, 80), nn.ReLU(), nn.Linear(80, d_out))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


def main(steps=160, batch=128, classes=15, d_in=30):
    torch.manual_seed(4)
    centres = torch.randn(classes, d_in)
    model = Embedder(d_in, 512)
    memory = CrossBatchMemory(batches=6)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(steps):
        y = torch.randint(classes, (batch,))
        z = model(centres[y] + torch.randn(batch, d_in))
        memory.enqueue(z, y, step)
        loss = supcon(z, y, memory.keys, memory.labels)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 50 == 0:
            print(f"step {step}: loss {loss.item():.4f} window {len(memory)}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
# about: MoCo: a momentum encoder and a queue of keys in a buffer, overwritten in place; keys
# about: made under no_grad, so the loss never reaches an earlier batch
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class MoCo(nn.Module):
    def __init__(self, dim=12, size=256, momentum=0.99, temperature=0.1):
        super().__init__()
        self.encoder_q = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, dim))
        self.encoder_k = copy.deepcopy(self.encoder_q).requires_grad_(False)
        self.m, self.T = momentum, temperature
        self.register_buffer("queue", F.normalize(torch.randn(dim, size), dim=0))
        self.register_buffer("ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def _momentum_update(self):
        for q, k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            k.data = k.data * self.m + q.data * (1 - self.m)

    @torch.no_grad()
    def _dequeue_and_enqueue(self, keys):
        at = int(self.ptr)
        self.queue[:, at : at + len(keys)] = keys.T
        self.ptr[0] = (at + len(keys)) % self.queue.size(1)

    def forward(self, im_q, im_k):
        q = F.normalize(self.encoder_q(im_q), dim=1)
        with torch.no_grad():
            self._momentum_update()
            k = F.normalize(self.encoder_k(im_k), dim=1)
        positive = torch.einsum("nc,nc->n", q, k).unsqueeze(-1)
        negative = torch.einsum("nc,ck->nk", q, self.queue.clone().detach())
        logits = torch.cat([positive, negative], dim=1) / self.T
        self._dequeue_and_enqueue(k)
        return logits, torch.zeros(len(logits), dtype=torch.long)


def main():
    torch.manual_seed(0)
    stream, model = batches(*classes(), size=32), MoCo()
    optimizer = torch.optim.SGD(model.encoder_q.parameters(), lr=0.1, momentum=0.9)
    for step in range(ITERATIONS):
        x, _ = next(stream)
        logits, labels = model(x + 0.3 * torch.randn_like(x), x + 0.3 * torch.randn_like(x))
        loss = F.cross_entropy(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"{step}: {loss.item():.6f}")


if __name__ == "__main__":
    main()

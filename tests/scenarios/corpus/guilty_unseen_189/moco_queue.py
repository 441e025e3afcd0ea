# gradwatch-corpus: kind=graph-unused
# first-bad: 0
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def base_encoder(dim):
    return nn.Sequential(
        nn.Conv1d(1, 8, 5, padding=2), nn.ReLU(), nn.Conv1d(8, 8, 5, padding=2), nn.ReLU(),
        nn.AdaptiveAvgPool1d(4), nn.Flatten(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, dim))


class MoCo(nn.Module):
    def __init__(self, dim=12, K=128, m=0.99, T=0.2):
        super().__init__()
        self.K, self.m, self.T = K, m, T
        self.encoder_q = base_encoder(dim)
        self.encoder_k = copy.deepcopy(self.encoder_q)
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.register_buffer("queue_ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def _momentum_update_key_encoder(self):
        for q, k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            k.data = k.data * self.m + q.data * (1.0 - self.m)

    @torch.no_grad()
    def _dequeue_and_enqueue(self, keys):
        n, ptr = keys.shape[0], int(self.queue_ptr)
        self.queue[:, ptr:ptr + n] = keys.t()
        self.queue_ptr[0] = (ptr + n) % self.K

    def forward(self, im_q, im_k):
        q = F.normalize(self.encoder_q(im_q), dim=1)
        self._momentum_update_key_encoder()
        k = F.normalize(self.encoder_k(im_k), dim=1)  # <- culprit
        k = k.detach()
        l_pos = (q * k).sum(1, keepdim=True)
        l_neg = q @ self.queue.clone()
        logits = torch.cat([l_pos, l_neg], 1) / self.T
        self._dequeue_and_enqueue(k)
        return logits, torch.zeros(len(q), dtype=torch.long)


class Waves:
    """Sinusoids of random frequency; views differ in phase, gain and noise."""

    def __init__(self, length, seed):
        self.t = torch.linspace(0, 1, length)
        self.g = torch.Generator().manual_seed(seed)

    def rand(self, n):
        return torch.rand(n, 1, generator=self.g)

    def view(self, freq):
        n = len(freq)
        x = torch.sin(6.28 * (freq * self.t + self.rand(n))) * (0.7 + 0.6 * self.rand(n))
        return (x + 0.1 * torch.randn(x.shape, generator=self.g)).unsqueeze(1)

    def pair(self, n):
        freq = 1 + 9 * self.rand(n)
        return self.view(freq), self.view(freq)


def train(epochs=4, per_epoch=110, batch=16):
    torch.manual_seed(2)
    data, model = Waves(32, seed=12), MoCo()
    optimizer = torch.optim.SGD(model.encoder_q.parameters(), 0.05, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for epoch in range(epochs):
        total, top1 = 0.0, 0.0
        for _ in range(per_epoch):
            output, target = model(*data.pair(batch))
            loss = F.cross_entropy(output, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
            top1 += (output.argmax(1) == 0).float().mean().item()
        scheduler.step()
        print(f"epoch {epoch} loss {total / per_epoch:.4f} acc {top1 / per_epoch:.3f}")


if __name__ == "__main__":
    train()

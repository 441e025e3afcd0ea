# gradwatch-corpus: kind=inplace-modified
# holder: self.queue | model.queue
# first-bad: 4
"""MoCo on toy time series: momentum encoder with a queue of negatives."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def encoder(dim):
    return nn.Sequential(
        nn.Conv1d(1, 16, 7, stride=2, padding=3),
        nn.BatchNorm1d(16),
        nn.ReLU(),
        nn.Conv1d(16, 32, 5, stride=2, padding=2),
        nn.ReLU(),
        nn.AdaptiveAvgPool1d(1),
        nn.Flatten(),
        nn.Linear(32, dim),
    )


class MoCo(nn.Module):
    def __init__(self, dim=24, K=128, m=0.99, T=0.2, warmup=4):
        super().__init__()
        self.K = K
        self.m = m
        self.T = T
        self.warmup = warmup
        self.seen = 0
        self.encoder_q = encoder(dim)
        self.encoder_k = encoder(dim)
        for pq, pk in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            pk.data.copy_(pq.data)
            pk.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.ptr = 0

    @torch.no_grad()
    def _momentum_update(self):
        for pq, pk in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            pk.mul_(self.m).add_(pq, alpha=1 - self.m)

    @torch.no_grad()
    def _enqueue(self, keys):
        n = keys.size(0)
        self.queue[:, self.ptr:self.ptr + n] = keys.t()  # <- culprit
        self.ptr = (self.ptr + n) % self.K

    def forward(self, im_q, im_k):
        q = F.normalize(self.encoder_q(im_q), dim=1)
        with torch.no_grad():
            self._momentum_update()
            k = F.normalize(self.encoder_k(im_k), dim=1)
        if self.seen < self.warmup:
            logits = q @ k.t()
            labels = torch.arange(len(q))
        else:
            l_pos = (q * k).sum(1, keepdim=True)
            l_neg = q @ self.queue  # <- culprit
            logits = torch.cat([l_pos, l_neg], dim=1)
            labels = torch.zeros(len(q), dtype=torch.long)
        self._enqueue(k)  # <- culprit
        self.seen += 1
        return logits / self.T, labels


class TwoCrops:
    def __init__(self, width):
        self.width = width

    def _crop(self, x):
        start = int(torch.randint(0, x.size(-1) - self.width, (1,)))
        view = x[..., start:start + self.width]
        return view * (0.8 + 0.4 * torch.rand(len(x), 1, 1)) + 0.05 * torch.randn_like(view)

    def __call__(self, x):
        return self._crop(x), self._crop(x)


def batch(n):
    t = torch.linspace(0, 10, 96)
    f = 0.5 + 3 * torch.rand(n, 1)
    return torch.sin(f * t + 6 * torch.rand(n, 1)).unsqueeze(1)


torch.manual_seed(31)
model = MoCo()
crops = TwoCrops(64)
params = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.SGD(params, lr=0.03, momentum=0.9, weight_decay=1e-4)
for it in range(100):
    im_q, im_k = crops(batch(32))
    output, target = model(im_q, im_k)
    loss = F.cross_entropy(output, target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if it % 2 == 0:
        acc = (output.argmax(1) == target).float().mean()
        print(it, round(loss.item(), 4), round(acc.item(), 3))

# gradwatch-corpus: kind=graph-held
# holder: self.keys | queue.keys | moco.queue.keys | self.queue.keys
# first-bad: 1
# notice: 8
"""MoCo for 1-d sensor signals."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(2024)


class SignalSet(torch.utils.data.Dataset):
    def __init__(self, n=640, length=32):
        t = torch.linspace(0, 6.28, length)
        f = torch.randint(1, 6, (n, 1)).float()
        self.x = torch.sin(f * t + 6.28 * torch.rand(n, 1))

    def __len__(self):
        return len(self.x)

    def augment(self, s):
        s = torch.roll(s, int(torch.randint(0, len(s), ())))
        return s * (0.8 + 0.4 * torch.rand(())) + 0.1 * torch.randn_like(s)

    def __getitem__(self, i):
        return self.augment(self.x[i]), self.augment(self.x[i])


class Encoder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, 8, 5, stride=2), nn.ReLU(),
            nn.Conv1d(8, 16, 5, stride=2), nn.ReLU(),
            nn.AdaptiveAvgPool1d(1), nn.Flatten(),
        )
        self.fc = nn.Linear(16, dim)

    def forward(self, x):
        return F.normalize(self.fc(self.conv(x.unsqueeze(1))), dim=1)


class KeyQueue:
    def __init__(self, size):
        self.size = size
        self.keys = []

    def push(self, k):
        self.keys.append(k)  # <- culprit

    def negatives(self):
        return torch.cat(self.keys[-self.size:]).detach()

    def __bool__(self):
        return len(self.keys) > 0


class MoCo(nn.Module):
    def __init__(self, base, m=0.99, tau=0.1, queue_batches=6):
        super().__init__()
        self.encoder_q = base
        self.encoder_k = copy.deepcopy(base)
        self.m, self.tau = m, tau
        self.queue = KeyQueue(queue_batches)

    @torch.no_grad()
    def momentum_update(self):
        for pq, pk in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            pk.mul_(self.m).add_(pq, alpha=1 - self.m)

    def forward(self, x_q, x_k):
        q = self.encoder_q(x_q)
        k = self.encoder_k(x_k)  # <- culprit
        l_pos = (q * k.detach()).sum(1, keepdim=True)
        neg = self.queue.negatives() if self.queue else k.detach()
        logits = torch.cat([l_pos, q @ neg.t()], dim=1) / self.tau
        self.queue.push(k)
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


loader = torch.utils.data.DataLoader(SignalSet(), batch_size=16, shuffle=True, drop_last=True)
moco = MoCo(Encoder())
opt = torch.optim.SGD(moco.encoder_q.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)

for epoch in range(6):
    running = 0.0
    for x_q, x_k in loader:
        loss = moco(x_q, x_k)
        opt.zero_grad()
        loss.backward()
        opt.step()
        moco.momentum_update()
        running += loss.item()
    print("epoch", epoch, "nce", round(running / len(loader), 4))

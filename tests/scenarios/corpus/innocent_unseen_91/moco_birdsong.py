# gradwatch-corpus: kind=none
# Momentum-contrast pretraining on synthetic bird calls, then a small linear probe per epoch.
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class CallDataset:
    def __init__(self, species=6, length=64):
        self.base = torch.rand(species, 3) * 8 + 1
        self.t = torch.linspace(0, 2 * math.pi, length)

    def render(self, label):
        f = self.base[label]
        chirp = torch.sin(f[:, :1] * self.t + 0.4 * f[:, 1:2] * self.t ** 2)
        return chirp * (1 + 0.5 * torch.sin(f[:, 2:] * self.t))

    def augment(self, x):
        shift = int(torch.randint(-6, 7, (1,)))
        return torch.roll(x, shift, dims=1) * (0.7 + 0.6 * torch.rand(len(x), 1)) + 0.15 * torch.randn_like(x)

    def two_views(self, n):
        label = torch.randint(len(self.base), (n,))
        x = self.render(label)
        return self.augment(x), self.augment(x)

    def labelled(self, n):
        label = torch.randint(len(self.base), (n,))
        return self.augment(self.render(label)), label


class Encoder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(1, 8, 7, stride=2), nn.ReLU(),
                                  nn.Conv1d(8, 16, 5, stride=2), nn.ReLU(), nn.AdaptiveAvgPool1d(4))
        self.fc = nn.Linear(64, dim)

    def features(self, x):
        return self.conv(x.unsqueeze(1)).flatten(1)

    def forward(self, x):
        return F.normalize(self.fc(self.features(x)), dim=1)


class MoCo(nn.Module):
    def __init__(self, dim=16, K=256, m=0.98, T=0.1):
        super().__init__()
        self.K, self.m, self.T = K, m, T
        self.encoder_q = Encoder(dim)
        self.encoder_k = copy.deepcopy(self.encoder_q)
        for p in self.encoder_k.parameters():
            p.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.register_buffer("ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def _momentum_update(self):
        for q, k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            k.data = k.data * self.m + q.data * (1.0 - self.m)

    @torch.no_grad()
    def _enqueue(self, keys):
        ptr = int(self.ptr)
        self.queue[:, ptr:ptr + len(keys)] = keys.t()
        self.ptr[0] = (ptr + len(keys)) % self.K

    def forward(self, im_q, im_k):
        q = self.encoder_q(im_q)
        with torch.no_grad():
            self._momentum_update()
            k = self.encoder_k(im_k)
        l_pos = (q * k).sum(1, keepdim=True)
        l_neg = q @ self.queue.clone().detach()
        logits = torch.cat([l_pos, l_neg], dim=1) / self.T
        self._enqueue(k)
        return logits, torch.zeros(len(logits), dtype=torch.long)


def linear_probe(encoder, data, steps=25):
    with torch.no_grad():
        x, y = data.labelled(256)
        xt, yt = data.labelled(256)
        fx, ft = encoder.features(x), encoder.features(xt)
    head = nn.Linear(fx.shape[1], len(data.base))
    opt = torch.optim.Adam(head.parameters(), lr=0.05)
    for _ in range(steps):
        opt.zero_grad()
        F.cross_entropy(head(fx), y).backward()
        opt.step()
    return (head(ft).argmax(1) == yt).float().mean().item()


def main():
    torch.manual_seed(17)
    torch.set_num_threads(1)
    data = CallDataset()
    model = MoCo()
    opt = torch.optim.SGD(model.encoder_q.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    for epoch in range(6):
        running = 0.0
        for _ in range(60):
            logits, target = model(*data.two_views(32))
            loss = F.cross_entropy(logits, target)
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item()
        print(f"epoch {epoch} nce {running / 60:.3f} probe acc {linear_probe(model.encoder_q, data):.3f}")


if __name__ == "__main__":
    main()

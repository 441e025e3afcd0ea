# gradwatch-corpus: kind=none
"""Momentum contrast on synthetic spectra (1d), then a linear probe on hooked features."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(64)
torch.set_num_threads(1)

QUEUE = 256
DIM = 24
TEMP = 0.2
MOMENTUM = 0.97
STEPS = 90
BATCH = 32
N_CLASSES = 4

peaks = torch.rand(N_CLASSES, 3) * 80 + 8


def spectra(n):
    y = torch.randint(N_CLASSES, (n,))
    grid = torch.arange(96.0)
    x = torch.zeros(n, 96)
    for k in range(3):
        center = peaks[y, k].unsqueeze(1) + torch.randn(n, 1)
        x = x + torch.exp(-((grid - center) / 3.0) ** 2)
    return x.unsqueeze(1), y


def augment(x):
    shift = int(torch.randint(-3, 4, (1,)))
    scale = 0.7 + 0.6 * torch.rand(x.size(0), 1, 1)
    return torch.roll(x, shift, dims=2) * scale + 0.1 * torch.randn_like(x)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv1d(1, 16, 7, stride=2, padding=3), nn.ReLU(),
            nn.Conv1d(16, 32, 5, stride=2, padding=2), nn.ReLU(),
            nn.AdaptiveAvgPool1d(6), nn.Flatten(),
        )
        self.projector = nn.Linear(32 * 6, DIM)

    def forward(self, x):
        return F.normalize(self.projector(self.backbone(x)), dim=1)


class MoCo(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder_q = Encoder()
        self.encoder_k = copy.deepcopy(self.encoder_q)
        for p in self.encoder_k.parameters():
            p.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(QUEUE, DIM), dim=1))
        self.ptr = 0

    @torch.no_grad()
    def momentum_update(self):
        for pk, pq in zip(self.encoder_k.parameters(), self.encoder_q.parameters()):
            pk.data = pk.data * MOMENTUM + pq.data * (1 - MOMENTUM)

    @torch.no_grad()
    def enqueue(self, keys):
        n = keys.size(0)
        self.queue[self.ptr:self.ptr + n] = keys
        self.ptr = (self.ptr + n) % QUEUE

    def forward(self, xq, xk):
        q = self.encoder_q(xq)
        with torch.no_grad():
            self.momentum_update()
            k = self.encoder_k(xk)
        l_pos = (q * k).sum(1, keepdim=True)
        l_neg = q @ self.queue.clone().t()
        logits = torch.cat([l_pos, l_neg], dim=1) / TEMP
        self.enqueue(k)
        return logits


def linear_probe(encoder, n=200):
    feats = []
    handle = encoder.backbone.register_forward_hook(lambda m, i, o: feats.append(o))
    x, y = spectra(n)
    with torch.no_grad():
        encoder(x)
    handle.remove()
    probe = nn.Linear(32 * 6, N_CLASSES)
    opt = torch.optim.Adam(probe.parameters(), lr=0.02)
    for _ in range(20):
        loss = F.cross_entropy(probe(feats[0]), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return (probe(feats[0]).argmax(1) == y).float().mean().item()


def main():
    model = MoCo()
    optimizer = torch.optim.SGD(model.encoder_q.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    hits = []
    for step in range(STEPS):
        x, _ = spectra(BATCH)
        logits = model(augment(x), augment(x))
        labels = torch.zeros(BATCH, dtype=torch.long)
        loss = F.cross_entropy(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hits.append((logits.argmax(1) == 0).float().mean().item())
        if step % 15 == 0:
            print("step %3d loss %.4f top1 %.3f ptr %d" % (step, loss.item(), sum(hits[-15:]) / len(hits[-15:]), model.ptr))
    print("linear probe accuracy: %.3f" % linear_probe(model.encoder_q))


if __name__ == "__main__":
    main()

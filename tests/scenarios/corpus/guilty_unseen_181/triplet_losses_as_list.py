# gradwatch-corpus: kind=crashed
# first-bad: 0
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(3)
torch.manual_seed(3)

NUM_SPEAKERS = 12
FEATS = 20
MARGIN = 0.3


class SpeakerEncoder(nn.Module):
    def __init__(self, emb=16):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(FEATS, 48),
            nn.BatchNorm1d(48),
            nn.ReLU(),
            nn.Linear(48, emb),
        )

    def forward(self, x):
        return F.normalize(self.layers(x), dim=-1)


centres = torch.randn(NUM_SPEAKERS, FEATS)


def utterance(speaker):
    return centres[speaker] + 0.8 * torch.randn(FEATS)


def triplet_batch(n):
    anchors, positives, negatives = [], [], []
    for _ in range(n):
        a, b = random.sample(range(NUM_SPEAKERS), 2)
        anchors.append(utterance(a))
        positives.append(utterance(a))
        negatives.append(utterance(b))
    return torch.stack(anchors), torch.stack(positives), torch.stack(negatives)


def triplet_loss(a, p, n):
    losses = []
    for ai, pi, ni in zip(a, p, n):
        d_pos = 1 - torch.dot(ai, pi)
        d_neg = 1 - torch.dot(ai, ni)
        losses.append(torch.clamp(d_pos - d_neg + MARGIN, min=0))
    active = sum(1 for l in losses if l.item() > 0)
    return torch.tensor(losses).mean(), active  # <- culprit


def verification_accuracy(model, trials=200):
    model.eval()
    right = 0
    with torch.no_grad():
        a, p, n = triplet_batch(trials)
        ea, ep, en = model(a), model(p), model(n)
        right = ((ea * ep).sum(1) > (ea * en).sum(1)).float().mean().item()
    model.train()
    return right


model = SpeakerEncoder()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
print("parameters:", sum(p.numel() for p in model.parameters()))
print("before training:", verification_accuracy(model))

for step in range(500):
    a, p, n = triplet_batch(24)
    emb = model(torch.cat([a, p, n]))
    ea, ep, en = emb.chunk(3)
    loss, active = triplet_loss(ea, ep, en)

    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

    if step % 50 == 0:
        print(f"step {step} loss {loss.item():.4f} active {active} acc {verification_accuracy(model):.3f}")

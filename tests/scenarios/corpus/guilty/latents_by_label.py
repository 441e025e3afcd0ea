# gradwatch-corpus: kind=graph-held
# holder: latents[label] | self.latents | model.latents | latents | self.latents[label]
# holder: self.latents[int(label)] | model.latents[0] | self.latents[0]
# about: single rows of a latent batch, kept per label, each holding the whole graph
from collections import defaultdict

import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, n_in=12, n_latent=2):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, 16), nn.ReLU(), nn.Linear(16, n_latent))
        self.latents = defaultdict(list)

    def forward(self, x, labels):
        z = self.net(x)
        self.remember(z, labels)
        return z

    def remember(self, z, labels):
        for row, label in zip(z, labels):
            self.latents[int(label)].append(row)  # <- culprit


def triplet_batch():
    labels = torch.arange(3).repeat(4)
    return torch.randn(12, 12) + labels.unsqueeze(1), labels


torch.manual_seed(0)
model = Encoder()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
triplet = nn.TripletMarginLoss(margin=0.5)
for step in range(60):
    x, labels = triplet_batch()
    z = model(x, labels)
    order = labels.argsort()
    a, b, c = z[order].chunk(3)
    loss = triplet(a, a.roll(1, 0), b) + triplet(b, b.roll(1, 0), c)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for label, rows in sorted(model.latents.items()):
    print(label, torch.stack(rows).mean(0).tolist())

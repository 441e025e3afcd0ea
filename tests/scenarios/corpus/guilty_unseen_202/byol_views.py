# gradwatch-corpus: kind=graph-unused
# first-bad: 0
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, d_in=32, width=64, d_out=24):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Linear(d_in, width), nn.BatchNorm1d(width), nn.ReLU(),
            nn.Linear(width, width), nn.BatchNorm1d(width), nn.ReLU())
        self.projector = nn.Sequential(nn.Linear(width, width), nn.BatchNorm1d(width), nn.ReLU(),
                                       nn.Linear(width, d_out))

    def forward(self, x):
        return self.projector(self.backbone(x))


class BYOL(nn.Module):
    def __init__(self, encoder, d_out=24, base_tau=0.98):
        super().__init__()
        self.online = encoder
        self.target = copy.deepcopy(encoder)
        self.predictor = nn.Sequential(nn.Linear(d_out, 32), nn.ReLU(), nn.Linear(32, d_out))
        self.base_tau = base_tau

    def regression(self, p, z):
        return 2 - 2 * F.cosine_similarity(p, z.detach(), dim=-1).mean()

    def forward(self, v1, v2):
        p1, p2 = self.predictor(self.online(v1)), self.predictor(self.online(v2))
        z1, z2 = self.target(v1), self.target(v2)  # <- culprit
        return 0.5 * (self.regression(p1, z2) + self.regression(p2, z1))

    @torch.no_grad()
    def momentum_update(self, progress):
        tau = 1 - (1 - self.base_tau) * (math.cos(math.pi * progress) + 1) / 2
        for q, k in zip(self.online.parameters(), self.target.parameters()):
            k.mul_(tau).add_(q, alpha=1 - tau)

    def trainable(self):
        yield from self.online.parameters()
        yield from self.predictor.parameters()


class Augment:
    def __init__(self, drop=0.2, noise=0.2):
        self.drop, self.noise = drop, noise

    def __call__(self, x):
        keep = (torch.rand_like(x) > self.drop).float()
        return x * keep + self.noise * torch.randn_like(x)


@torch.no_grad()
def knn_accuracy(encoder, x, y, k=5):
    encoder.eval()
    z = F.normalize(encoder.backbone(x), dim=1)
    encoder.train()
    sim = z @ z.t() - 2 * torch.eye(len(z))
    votes = y[sim.topk(k, dim=1).indices]
    return (votes.mode(dim=1).values == y).float().mean().item()


def main(steps=420, batch=32):
    torch.manual_seed(12)
    y = torch.randint(0, 6, (600,))
    x = 1.5 * torch.randn(6, 32)[y] + torch.randn(600, 32)
    model, augment = BYOL(Encoder()), Augment()
    opt = torch.optim.SGD(model.trainable(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    for step in range(steps):
        xb = x[torch.randint(0, len(x), (batch,))]
        loss = model(augment(xb), augment(xb))
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.momentum_update(step / steps)
        if step % 70 == 0:
            print(f"step {step} loss {loss.item():.4f} knn {knn_accuracy(model.online, x[:200], y[:200]):.3f}")


if __name__ == "__main__":
    main()

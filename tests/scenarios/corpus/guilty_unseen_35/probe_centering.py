# gradwatch-corpus: kind=graph-chain
# holder: center | self.tracker.gi_frame.f_locals["center"] | head.centering.tracker.gi_frame.f_locals["center"] | self.tracker | self.centering.tracker | head.centering.tracker | tracker | self.centering.tracker.gi_frame.f_locals["center"] | tracker.gi_frame.f_locals["center"] | batch_mean
# first-bad: 1
"""Linear projection head over frozen features, trained with centred cosine targets."""
import argparse

import torch
import torch.nn.functional as F
from torch import nn


def running_center(dim, momentum):
    """Coroutine: send a batch mean, get the centre to subtract."""
    center = torch.zeros(dim)
    batch_mean = yield center
    while True:
        center = momentum * center + (1 - momentum) * batch_mean  # <- culprit
        batch_mean = yield center


class Centering(nn.Module):
    def __init__(self, dim, momentum=0.9):
        super().__init__()
        self.tracker = running_center(dim, momentum)
        next(self.tracker)

    def forward(self, z):
        if not self.training:
            return z
        return z - self.tracker.send(z.mean(dim=0))  # <- culprit


class ProjectionHead(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.proj = nn.Linear(d_in, d_out, bias=False)
        self.centering = Centering(d_out)

    def forward(self, feats):
        return F.normalize(self.centering(self.proj(feats)), dim=1)


class FrozenEncoder(nn.Module):
    def __init__(self, d_raw, d_feat):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_raw, 64), nn.ReLU(), nn.Linear(64, d_feat))
        self.requires_grad_(False).eval()

    @torch.no_grad()
    def two_views(self, x, noise):
        return self.net(x + noise * torch.randn_like(x)), self.net(x + noise * torch.randn_like(x))


def info_nce(a, b, temperature):
    sims = a @ b.t() / temperature
    return F.cross_entropy(sims, torch.arange(len(a)))


def parse_args():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=90)
    ap.add_argument("--batch", type=int, default=48)
    ap.add_argument("--temperature", type=float, default=0.2)
    ap.add_argument("--noise", type=float, default=0.3)
    return ap.parse_args()


def main():
    args = parse_args()
    torch.manual_seed(7)
    encoder = FrozenEncoder(20, 32)
    head = ProjectionHead(32, 16)
    opt = torch.optim.SGD(head.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    pool = torch.randn(600, 20)

    for step in range(args.steps):
        x = pool[torch.randint(len(pool), (args.batch,))]
        left, right = encoder.two_views(x, args.noise)
        z = head(torch.cat([left, right]))
        loss = info_nce(z[:args.batch], z[args.batch:], args.temperature)
        opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)
        opt.step()
        if (step + 1) % 30 == 0:
            print(f"[{step + 1}/{args.steps}] nce={loss.item():.4f}")

    head.eval()
    with torch.no_grad():
        a, b = (head(v) for v in encoder.two_views(pool[:200], args.noise))
        top1 = ((a @ b.t()).argmax(1) == torch.arange(200)).float().mean()
    print(f"retrieval top-1: {top1:.3f}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=graph-held
# holder: self.on_diag | model.on_diag
# first-bad: 1
# notice: 8
"""Pretrain the twins on synthetic oscillations, then report a nearest-centroid probe."""
import argparse

import torch

from twins import Twins


def series(n, g, length=48, channels=3):
    kind = torch.randint(0, 4, (n,), generator=g)
    t = torch.arange(length).float()
    freq = 0.1 + 0.12 * kind.float()
    phase = 6.28 * torch.rand(n, channels, 1, generator=g)
    return torch.sin(freq[:, None, None] * t + phase), kind


def corrupt(x, g):
    gain = 1 + 0.2 * torch.randn(x.shape[0], 1, 1, generator=g)
    shift = int(torch.randint(0, 8, (1,), generator=g))
    return gain * x.roll(shift, dims=-1) + 0.1 * torch.randn(x.shape, generator=g)


@torch.no_grad()
def probe(model, g):
    model.eval()
    x, y = series(128, g)
    f = model.encoder(x)
    centroids = torch.stack([f[:64][y[:64] == k].mean(0) for k in range(4)])
    guess = torch.cdist(f[64:], centroids).argmin(1)
    return (guess == y[64:]).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=110)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=3e-3)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(4)
    g = torch.Generator().manual_seed(4)
    model = Twins()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, model.lr_factor)
    for step in range(args.steps):
        x, _ = series(args.batch, g)
        loss = model(corrupt(x, g), corrupt(x, g))
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 20 == 0:
            print(f"step {step:4d} loss {loss.item():.3f} {model.progress()}")
    print("probe accuracy", round(probe(model, g), 3))


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
"""Momentum contrast on noisy views of cluster prototypes; two micro-batches per step."""
import argparse

import torch
import torch.nn as nn

from queueing import MoCo

torch.set_num_threads(1)


def views(protos, n, gen):
    z = protos[torch.randint(0, len(protos), (n,), generator=gen)]
    z = z + 0.5 * torch.randn(z.shape, generator=gen)
    return [z + 0.2 * torch.randn(z.shape, generator=gen) for _ in range(2)]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--micro", type=int, default=2)
    ap.add_argument("--bs", type=int, default=32)
    args = ap.parse_args()
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(0)
    protos = 2 * torch.randn(30, 12, generator=gen)
    encoder = nn.Sequential(nn.Linear(12, 48), nn.ReLU(), nn.Linear(48, 16))
    model = MoCo(encoder, 16)
    opt = torch.optim.SGD(model.q.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.steps)
    ema = None
    for step in range(args.steps):
        opt.zero_grad()
        hits = 0.0
        for _ in range(args.micro):
            loss, acc = model(*views(protos, args.bs, gen))
            (loss / args.micro).backward()
            hits += acc.item() / args.micro
            ema = loss.detach() if ema is None else 0.95 * ema + 0.05 * loss.detach()
        opt.step()
        sched.step()
        if step % 20 == 19:
            print(f"step {step + 1} loss {ema.item():.4f} top1 {hits:.3f} queue {tuple(model.queue.all().shape)}")


if __name__ == "__main__":
    main()

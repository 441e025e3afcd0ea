# gradwatch-corpus: kind=inplace-modified
# first-bad: 20
"""Instance discrimination with a non-parametric memory bank."""
import torch

from . import bank, data, net


def train(steps=500, warmup=20, batch=32):
    torch.manual_seed(55)
    points = data.blobs(n=384, dim=20, groups=6)
    encoder = net.Encoder(20, 16)
    memory = bank.MemoryBank(len(points), 16, momentum=0.5)
    opt = torch.optim.SGD(encoder.parameters(), lr=0.1, momentum=0.9)

    for step in range(steps):
        idx = torch.randperm(len(points))[:batch]
        feats = encoder(data.jitter(points[idx]))
        if step < warmup:
            loss = net.uniformity(feats)
        else:
            logits = memory.scores(feats, temperature=0.2)
            memory.refresh(idx, feats)
            loss = torch.nn.functional.cross_entropy(logits, idx)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 10 == 0:
            print(f"step {step} loss {loss.item():.4f}")


if __name__ == "__main__":
    train()

# gradwatch-corpus: kind=second-backward
# first-bad: 40
import torch
from torch import nn

from losses import GradNorms, class_loss, depth_loss


class TwoHeadNet(nn.Module):
    def __init__(self, dim=16, hidden=32, n_classes=5):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU())
        self.depth = nn.Linear(hidden, 1)
        self.cls = nn.Linear(hidden, n_classes)

    def forward(self, x):
        h = self.trunk(x)
        return self.depth(h).squeeze(-1), self.cls(h)


class Sampler:
    def __init__(self, seed=0, dim=16):
        self.gen = torch.Generator().manual_seed(seed)
        self.w = torch.randn(dim, generator=self.gen)
        self.protos = torch.randn(5, dim, generator=self.gen)

    def next(self, n=24):
        label = torch.randint(0, 5, (n,), generator=self.gen)
        x = self.protos[label] + 0.5 * torch.randn(n, self.w.numel(), generator=self.gen)
        return x, (x @ self.w).tanh(), label


def main(steps=500, warmup=40):
    torch.manual_seed(0)
    sampler = Sampler()
    net = TwoHeadNet()
    norms = GradNorms(net.trunk.parameters())
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for step in range(steps):
        x, depth, label = sampler.next()
        pred, logits = net(x)
        opt.zero_grad()
        if step < warmup:
            loss = class_loss(logits, label)
            loss.backward()
            norms.record("cls", norms.snapshot())
        else:
            first = class_loss(logits, label)
            second = 0.3 * depth_loss(pred, depth)
            first.backward()  # <- culprit
            before = norms.snapshot()
            norms.record("cls", before)
            second.backward()
            norms.record("depth", norms.snapshot(), before)
            loss = first.detach() + second.detach()
        opt.step()
        if step % 20 == 0:
            shown = " ".join(f"{k}:{v:.3f}" for k, v in norms.last.items())
            print(f"{step:4d} loss {loss.item():.4f} {shown}")


if __name__ == "__main__":
    main()

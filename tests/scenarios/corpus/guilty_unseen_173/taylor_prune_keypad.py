# gradwatch-corpus: kind=graph-held
# holder: out._backward_hooks | output._backward_hooks | output
# first-bad: 1
"""Keypad-touch classifier that is slimmed while it trains: channels with low Taylor importance are masked out."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class TouchFrames:
    """Capacitive 12x12 frames of a 3x4 keypad: a blob at the pressed key, moisture streaks and noise."""

    KEYS = 12

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        ys, xs = torch.meshgrid(torch.arange(12).float(), torch.arange(12).float(), indexing="ij")
        self.ys, self.xs = ys, xs

    def batch(self, n):
        key = torch.randint(self.KEYS, (n,), generator=self.gen)
        cy = (key // 3).float() * 3 + 1 + 0.5 * torch.randn(n, generator=self.gen)
        cx = (key % 3).float() * 4 + 2 + 0.5 * torch.randn(n, generator=self.gen)
        d2 = (self.ys - cy.view(-1, 1, 1)) ** 2 + (self.xs - cx.view(-1, 1, 1)) ** 2
        frame = torch.exp(-d2 / 3.0)
        streak = torch.randint(12, (n,), generator=self.gen)
        frame[torch.arange(n), :, streak] += 0.4
        return (frame + 0.2 * torch.randn(n, 12, 12, generator=self.gen)).unsqueeze(1), key


class MaskedConv(nn.Module):
    def __init__(self, c_in, c_out):
        super().__init__()
        self.conv = nn.Conv2d(c_in, c_out, 3, padding=1)
        self.register_buffer("mask", torch.ones(c_out))

    def forward(self, x):
        return F.relu(self.conv(x)) * self.mask.view(1, -1, 1, 1)


class KeypadNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.block1 = MaskedConv(1, 12)
        self.block2 = MaskedConv(12, 16)
        self.head = nn.Linear(16 * 9, TouchFrames.KEYS)

    def forward(self, x):
        h = F.max_pool2d(self.block1(x), 2)
        h = F.max_pool2d(self.block2(h), 2)
        return self.head(h.flatten(1))


class TaylorImportance:
    """Running estimate of |activation * gradient| per channel for every masked block."""

    def __init__(self, net, decay=0.95):
        self.decay = decay
        self.scores = {}
        self.blocks = {name: m for name, m in net.named_modules() if isinstance(m, MaskedConv)}
        for name, module in self.blocks.items():
            module.register_forward_hook(self._make_hook(name))

    def _make_hook(self, name):
        def forward_hook(module, args, output):
            if not module.training:
                return

            def on_grad(grad):
                value = (output * grad).detach().sum(dim=(2, 3)).abs().mean(0)  # <- culprit
                old = self.scores.get(name)
                self.scores[name] = value if old is None else self.decay * old + (1 - self.decay) * value

            output.register_hook(on_grad)  # <- culprit
        return forward_hook

    def prune_one(self):
        best = None
        for name, block in self.blocks.items():
            score = self.scores[name] / self.scores[name].norm()
            score = score.masked_fill(block.mask == 0, float("inf"))
            value, idx = score.min(0)
            if best is None or value < best[0]:
                best = (value.item(), name, idx.item())
        _, name, idx = best
        self.blocks[name].mask[idx] = 0
        return name, idx


@torch.no_grad()
def accuracy(net, frames, n=200):
    net.eval()
    x, y = frames.batch(n)
    acc = (net(x).argmax(1) == y).float().mean().item()
    net.train()
    return acc


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=600)
    ap.add_argument("--prune-every", type=int, default=60)
    args = ap.parse_args()
    torch.manual_seed(25)
    frames, net = TouchFrames(26), KeypadNet()
    importance = TaylorImportance(net)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for step in range(1, args.steps + 1):
        x, y = frames.batch(24)
        loss = F.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % args.prune_every == 0:
            name, idx = importance.prune_one()
            print(f"step {step:4d} loss {loss.item():.3f} acc {accuracy(net, frames):.3f} cut {name}[{idx}]")


if __name__ == "__main__":
    main()

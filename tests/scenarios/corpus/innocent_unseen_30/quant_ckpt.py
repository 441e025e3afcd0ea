# gradwatch-corpus: kind=none
"""Quantisation-aware training of a tiny token mixer: straight-through Functions, checkpointed blocks of both kinds."""
import torch
import torch.nn as nn
from torch.autograd import Function
from torch.utils.checkpoint import checkpoint


class FakeQuant(Function):
    @staticmethod
    def forward(ctx, x, scale, bits):
        top = 2 ** (bits - 1) - 1
        q = (x / scale).round()
        inside = q.abs() <= top
        q = q.clamp(-top, top)
        ctx.save_for_backward(inside, q, x, scale)
        return q * scale

    @staticmethod
    def backward(ctx, g):
        inside, q, x, scale = ctx.saved_tensors
        gx = g * inside
        err = torch.where(inside, q - x / scale, q)
        gs = (g * err).sum().reshape(scale.shape) / x.numel() ** 0.5
        return gx, gs, None


class Squash(Function):
    @staticmethod
    def forward(ctx, x):
        y = x / (1 + x.abs())
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        y, = ctx.saved_tensors
        return g * (1 - y.abs()) ** 2


class QLinear(nn.Linear):
    def __init__(self, i, o, bits=6):
        super().__init__(i, o)
        self.bits = bits
        self.scale = nn.Parameter(self.weight.detach().abs().max() / 2 ** (bits - 1))

    def forward(self, x):
        return nn.functional.linear(x, FakeQuant.apply(self.weight, self.scale, self.bits), self.bias)


class MixBlock(nn.Module):
    def __init__(self, tokens, dim):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.tok, self.ch1, self.ch2 = QLinear(tokens, tokens), QLinear(dim, 2 * dim), QLinear(2 * dim, dim)

    def forward(self, x):
        x = x + self.tok(self.n1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.ch2(Squash.apply(self.ch1(self.n2(x))))


class Mixer(nn.Module):
    def __init__(self, vocab, tokens, dim, depth):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.blocks = nn.ModuleList(MixBlock(tokens, dim) for _ in range(depth))
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids):
        h = self.emb(ids)
        for i, block in enumerate(self.blocks):
            h = checkpoint(block, h, use_reentrant=(i % 2 == 0))
        return self.head(h)


class ReverseTask:
    def __init__(self, vocab, tokens, seed):
        self.vocab, self.tokens = vocab, tokens
        self.gen = torch.Generator().manual_seed(seed)

    def __call__(self, n):
        x = torch.randint(self.vocab, (n, self.tokens), generator=self.gen)
        return x, x.flip(1)


def main():
    torch.manual_seed(44)
    task = ReverseTask(vocab=12, tokens=8, seed=45)
    net = Mixer(12, 8, 24, depth=4)
    scales = [p for n, p in net.named_parameters() if n.endswith("scale")]
    rest = [p for n, p in net.named_parameters() if not n.endswith("scale")]
    opt = torch.optim.Adam([{"params": rest, "lr": 4e-3}, {"params": scales, "lr": 2e-4}])
    for step in range(220):
        x, y = task(24)
        loss = nn.functional.cross_entropy(net(x).flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            for s in scales:
                s.clamp_(min=1e-4)
        if step % 55 == 54:
            print(f"step {step + 1} loss {loss.item():.4f} scales {min(scales).item():.4f}..{max(scales).item():.4f}")


if __name__ == "__main__":
    main()

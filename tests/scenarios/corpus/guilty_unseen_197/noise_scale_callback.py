# gradwatch-corpus: kind=second-backward
# first-bad: 60
from dataclasses import dataclass, field
from typing import Protocol

import torch
from torch import nn
import torch.nn.functional as F


class Callback(Protocol):
    def after_backward(self, ctx): ...
    def after_step(self, ctx): ...


@dataclass
class StepContext:
    step: int
    model: nn.Module
    loss: torch.Tensor
    parts: torch.Tensor
    metrics: dict = field(default_factory=dict)


class BaseCallback:
    def after_backward(self, ctx):
        pass

    def after_step(self, ctx):
        pass


class GradNormLogger(BaseCallback):
    def after_backward(self, ctx):
        sq = sum(p.grad.pow(2).sum() for p in ctx.model.parameters())
        ctx.metrics["grad_norm"] = sq.sqrt().item()


class NoiseScaleProbe(BaseCallback):
    def __init__(self, every, start):
        self.every, self.start = every, start
        self.samples = []

    def after_backward(self, ctx):
        if ctx.step < self.start or ctx.step % self.every:
            return
        params = list(ctx.model.parameters())
        half = ctx.parts[: len(ctx.parts) // 2].mean()
        small = torch.autograd.grad(half, params)  # <- culprit
        big = sum(p.grad.pow(2).sum() for p in params).item()
        self.samples.append(sum(g.pow(2).sum() for g in small).item() / max(big, 1e-12))
        ctx.metrics["noise_scale"] = self.samples[-1]


class Printer(BaseCallback):
    def __init__(self, every=50):
        self.every = every

    def after_step(self, ctx):
        if ctx.step % self.every == 0:
            body = " ".join(f"{k}={v:.4f}" for k, v in ctx.metrics.items())
            print(f"{ctx.step:4d} {body}")


class CharBag(nn.Module):
    def __init__(self, vocab, dim, classes):
        super().__init__()
        self.embed = nn.EmbeddingBag(vocab, dim)
        self.mlp = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim), nn.GELU(), nn.Linear(dim, classes))

    def forward(self, tokens):
        return self.mlp(self.embed(tokens))


class Loop:
    def __init__(self, model, callbacks, lr=2e-3):
        self.model = model
        self.callbacks = callbacks
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)

    def call(self, name, ctx):
        for cb in self.callbacks:
            getattr(cb, name)(ctx)

    def step(self, step, tokens, labels):
        parts = F.cross_entropy(self.model(tokens), labels, reduction="none")
        loss = parts.mean()
        self.opt.zero_grad()
        loss.backward()  # <- culprit
        ctx = StepContext(step, self.model, loss, parts, {"loss": loss.item()})
        self.call("after_backward", ctx)
        self.opt.step()
        self.call("after_step", ctx)


def main(steps=500, vocab=40, classes=3):
    torch.manual_seed(13)
    g = torch.Generator().manual_seed(2)
    profile = torch.rand(classes, vocab, generator=g).pow(3)
    loop = Loop(CharBag(vocab, 16, classes), [GradNormLogger(), NoiseScaleProbe(every=30, start=50), Printer()])
    for step in range(steps):
        labels = torch.randint(classes, (32,), generator=g)
        tokens = torch.multinomial(profile[labels], 12, replacement=True, generator=g)
        loop.step(step, tokens, labels)


if __name__ == "__main__":
    main()

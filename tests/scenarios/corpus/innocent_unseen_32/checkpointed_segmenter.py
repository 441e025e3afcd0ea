# gradwatch-corpus: kind=none
"""1-D signal segmentation; deep blocks are checkpointed, gradients accumulate over micro-batches."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


class BadSignal(ValueError):
    pass


class Block(nn.Module):
    def __init__(self, c, dilation):
        super().__init__()
        self.conv = nn.Conv1d(c, c, 3, padding=dilation, dilation=dilation)
        self.mix = nn.Conv1d(c, c, 1)

    def forward(self, x):
        return x + self.mix(F.gelu(self.conv(x)))


class Segmenter(nn.Module):
    def __init__(self, c=16, classes=3, depth=4):
        super().__init__()
        self.stem = nn.Conv1d(1, c, 5, padding=2)
        self.blocks = nn.ModuleList(Block(c, 2 ** i) for i in range(depth))
        self.head = nn.Conv1d(c, classes, 1)
        self.aux = nn.Conv1d(c, classes, 1)

    def forward(self, x):
        h = self.stem(x)
        mid = None
        for i, block in enumerate(self.blocks):
            h = checkpoint(block, h, use_reentrant=False) if self.training else block(h)
            if i == len(self.blocks) // 2:
                mid = h
        return self.head(h), self.aux(mid)


def make_batch(n, length=96):
    change = torch.rand(n, length) < 0.05
    level = torch.randint(0, 3, (n, length))
    labels = level.gather(1, change.long().cumsum(1).clamp(max=length - 1))
    x = labels.float() - 1 + 0.6 * torch.randn(n, length)
    if torch.rand(()) < 0.05:
        x[0, 0] = float("nan")
    return x.unsqueeze(1), labels


class Runner:
    def __init__(self, model, micro=2, lr=4e-3):
        self.model, self.micro = model, micro
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)
        self.rejected = []

    def micro_loss(self, x, y):
        logits, aux = self.model(x)
        main = F.cross_entropy(logits, y)
        if not torch.isfinite(main):
            raise BadSignal("non-finite loss")
        return main + 0.3 * F.cross_entropy(aux, y)

    def update(self, number):
        self.opt.zero_grad()
        total = 0.0
        for _ in range(self.micro):
            try:
                loss = self.micro_loss(*make_batch(8)) / self.micro
            except BadSignal as exc:
                self.rejected.append((number, exc.with_traceback(None)))
                continue
            loss.backward()
            total += loss.detach()
        self.opt.step()
        return total

    @torch.no_grad()
    def score(self):
        self.model.eval()
        x, y = make_batch(32)
        acc = (self.model(x.nan_to_num())[0].argmax(1) == y).float().mean().item()
        self.model.train()
        return acc


if __name__ == "__main__":
    torch.manual_seed(52)
    runner = Runner(Segmenter())
    for n in range(90):
        total = runner.update(n)
        if n % 15 == 14:
            print(f"update {n + 1}: loss {float(total):.4f} acc {runner.score():.3f}")
    print(len(runner.rejected), "micro-batches rejected:", {str(e) for _, e in runner.rejected})

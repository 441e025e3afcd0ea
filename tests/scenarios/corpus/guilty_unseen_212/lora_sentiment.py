# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
"""LoRA finetuning of a small frozen transformer encoder on token-count sentiment."""
import math

import torch
from torch import nn
from torch.nn import functional as F


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r=4, alpha=8):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.A = nn.Parameter(torch.randn(r, base.in_features) / math.sqrt(base.in_features))
        self.B = nn.Parameter(torch.zeros(base.out_features, r))
        self.scale = alpha / r

    def forward(self, x):
        return self.base(x) + self.scale * F.linear(F.linear(x, self.A), self.B)


class Encoder(nn.Module):
    def __init__(self, vocab=50, d=32, layers=2):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.qs = nn.ModuleList(nn.Linear(d, d) for _ in range(layers))
        self.vs = nn.ModuleList(nn.Linear(d, d) for _ in range(layers))
        self.ffs = nn.ModuleList(nn.Linear(d, d) for _ in range(layers))
        self.cls = nn.Linear(d, 2)

    def forward(self, ids):
        h = self.emb(ids)
        for q, v, ff in zip(self.qs, self.vs, self.ffs):
            w = (q(h) @ h.transpose(1, 2) / h.shape[-1] ** 0.5).softmax(-1)
            h = h + w @ v(h)
            h = F.layer_norm(h + F.gelu(ff(h)), h.shape[-1:])
        return self.cls(h.mean(1))


def inject_lora(model, names=("qs", "vs"), r=4):
    model.requires_grad_(False)
    for n in names:
        mods = getattr(model, n)
        for i, lin in enumerate(mods):
            mods[i] = LoRALinear(lin, r=r)
    model.cls.requires_grad_(True)
    return [p for p in model.parameters() if p.requires_grad]


class Finetuner:
    def __init__(self, model, params, lr):
        self.model = model
        self.params = params
        self.opt = torch.optim.AdamW(params, lr=lr, weight_decay=0.0)
        self.sched = torch.optim.lr_scheduler.LambdaLR(self.opt, lambda s: min(1.0, (s + 1) / 10))

    def optimize(self, loss):
        loss.backward()  # <- culprit
        nn.utils.clip_grad_value_(self.params, 0.5)
        self.opt.step()  # <- culprit
        self.sched.step()

    def train_batch(self, ids, y):
        self.model.train()
        logits = self.model(ids)
        loss = F.cross_entropy(logits, y)
        self.optimize(loss)
        return loss.item(), (logits.argmax(-1) == y).float().mean().item()


def reviews(n, g, vocab=50, length=16):
    ids = torch.randint(0, vocab, (n, length), generator=g)
    return ids, ((ids < 10).sum(1) > (ids >= 40).sum(1)).long()


if __name__ == "__main__":
    torch.manual_seed(8)
    g = torch.Generator().manual_seed(8)
    model = Encoder()
    params = inject_lora(model)
    print("trainable", sum(p.numel() for p in params))
    ft = Finetuner(model, params, lr=2e-3)
    for step in range(120):
        loss, acc = ft.train_batch(*reviews(32, g))
        if step % 30 == 0:
            print(f"step {step} loss {loss:.4f} acc {acc:.2f}")

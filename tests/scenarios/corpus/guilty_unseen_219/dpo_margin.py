# gradwatch-corpus: kind=graph-held
# holder: self.margin_ema | trainer.margin_ema
# first-bad: 1
"""DPO with LoRA adapters on a frozen causal transformer; tracks smoothed reward margins for early stopping."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class LoRALinear(nn.Module):
    def __init__(self, base, rank=4, alpha=8):
        super().__init__()
        self.base = base
        self.base.requires_grad_(False)
        self.A = nn.Parameter(torch.randn(rank, base.in_features) / math.sqrt(base.in_features))
        self.B = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scale = alpha / rank
        self.enabled = True

    def forward(self, x):
        y = self.base(x)
        if self.enabled:
            y = y + self.scale * (x @ self.A.t() @ self.B.t())
        return y


class Block(nn.Module):
    def __init__(self, d, heads=4):
        super().__init__()
        self.heads = heads
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv = LoRALinear(nn.Linear(d, 3 * d))
        self.proj = LoRALinear(nn.Linear(d, d))
        self.mlp = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d)).requires_grad_(False)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(self.ln1(x)).view(B, T, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(B, T, D))
        return x + self.mlp(self.ln2(x))


class CausalLM(nn.Module):
    def __init__(self, vocab=32, d=32, layers=2, ctx=16):
        super().__init__()
        self.tok = nn.Embedding(vocab, d).requires_grad_(False)
        self.pos = nn.Parameter(torch.randn(ctx, d) * 0.02, requires_grad=False)
        self.blocks = nn.ModuleList(Block(d) for _ in range(layers))
        self.head = nn.Linear(d, vocab).requires_grad_(False)

    def forward(self, ids):
        x = self.tok(ids) + self.pos[: ids.shape[1]]
        for b in self.blocks:
            x = b(x)
        return self.head(x)

    def adapters(self, on):
        for m in self.modules():
            if isinstance(m, LoRALinear):
                m.enabled = on


def seq_logp(model, ids, prompt_len):
    logp = model(ids[:, :-1]).log_softmax(-1)
    picked = logp.gather(-1, ids[:, 1:, None]).squeeze(-1)
    return picked[:, prompt_len - 1:].sum(-1)


def preference_batch(g, n=12, prompt=4, answer=8, vocab=32):
    p = torch.randint(0, vocab, (n, prompt), generator=g)
    good = torch.randint(0, vocab // 2, (n, answer), generator=g)
    bad = torch.randint(vocab // 2, vocab, (n, answer), generator=g)
    return torch.cat([p, good], 1), torch.cat([p, bad], 1)


class DPOTrainer:
    def __init__(self, model, beta=0.1, lr=2e-3, patience=60):
        self.model = model
        self.beta = beta
        params = [p for n, p in model.named_parameters() if n.endswith((".A", ".B"))]
        self.opt = torch.optim.AdamW(params, lr=lr)
        self.margin_ema = None
        self.best, self.stale, self.patience = -float("inf"), 0, patience

    def step(self, chosen, rejected):
        both = torch.cat([chosen, rejected])
        with torch.no_grad():
            self.model.adapters(False)
            ref_c, ref_r = seq_logp(self.model, both, 4).chunk(2)
            self.model.adapters(True)
        pi_c, pi_r = seq_logp(self.model, both, 4).chunk(2)
        margins = self.beta * ((pi_c - ref_c) - (pi_r - ref_r))
        loss = -F.logsigmoid(margins).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.track(margins.mean())  # <- culprit
        return loss.item()

    def track(self, margin):
        if self.margin_ema is None:
            self.margin_ema = margin  # <- culprit
        else:
            self.margin_ema = 0.9 * self.margin_ema + 0.1 * margin  # <- culprit
        current = self.margin_ema.item()
        if current > self.best + 1e-3:
            self.best, self.stale = current, 0
        else:
            self.stale += 1

    @property
    def should_stop(self):
        return self.stale >= self.patience


def main():
    torch.manual_seed(3)
    g = torch.Generator().manual_seed(8)
    trainer = DPOTrainer(CausalLM())
    for step in range(110):
        loss = trainer.step(*preference_batch(g))
        if step % 30 == 0:
            print(f"{step} loss {loss:.4f} margin {trainer.margin_ema.item():+.3f}")
        if trainer.should_stop:
            print("stopping at", step)
            break


if __name__ == "__main__":
    main()

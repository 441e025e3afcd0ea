# gradwatch-corpus: kind=none
"""Small decoder-only LM; blocks are checkpointed and gradients gathered over three micro-batches."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)
torch.manual_seed(20)


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.proj = nn.Linear(dim, 3 * dim, bias=False), nn.Linear(dim, dim, bias=False)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(b, t, d))
        return x + self.ff(self.n2(x))


class TinyGPT(nn.Module):
    def __init__(self, vocab=20, dim=32, depth=3, ctx=24):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, dim), nn.Embedding(ctx, dim)
        self.blocks = nn.ModuleList(Block(dim, 4) for _ in range(depth))
        self.norm = nn.LayerNorm(dim)

    def forward(self, ids):
        x = self.tok(ids) + self.pos.weight[: ids.size(1)]
        for b in self.blocks:
            x = checkpoint(b, x, use_reentrant=False) if self.training else b(x)
        return self.norm(x) @ self.tok.weight.t()


def sums(n):
    a, b = torch.randint(0, 500, (n,)), torch.randint(0, 500, (n,))
    rows = [f"{x:03d}+{y:03d}={x + y:04d}" for x, y in zip(a.tolist(), b.tolist())]
    table = "0123456789+="
    return torch.tensor([[table.index(c) for c in r] for r in rows])


def lm_loss(model, ids):
    logits = model(ids[:, :-1])
    return F.cross_entropy(logits[:, 7:].flatten(0, 1), ids[:, 8:].flatten())


def main(updates=40, micro=3):
    model = TinyGPT()
    decay = [p for p in model.parameters() if p.dim() > 1]
    rest = [p for p in model.parameters() if p.dim() <= 1]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=3e-3)
    opt.zero_grad()
    shown = []
    for it in range(updates * micro):
        loss = lm_loss(model, sums(12)) / micro
        loss.backward()
        shown.append(loss.item() * micro)
        if (it + 1) % micro == 0:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            opt.zero_grad()
        if (it + 1) % (10 * micro) == 0:
            model.eval()
            with torch.no_grad():
                val = lm_loss(model, sums(64)).item()
            model.train()
            print(f"update {(it + 1) // micro}: train {sum(shown[-micro:]) / micro:.3f} val {val:.3f}")


if __name__ == "__main__":
    main()

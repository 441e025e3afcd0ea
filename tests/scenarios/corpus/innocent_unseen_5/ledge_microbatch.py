# gradwatch-corpus: kind=none
# about: the loss of an update sums the graphs of many micro-batches and the curriculum makes that 2, 3, ... 9 of them, so graph and memory grow for 210 updates; all of it belongs to the one update and the growth ends
"""LoRA-style adaptation of a frozen toy language model; pairwise penalty between micro-batches, one backward per update."""
import torch
import torch.nn.functional as F
from torch import nn


class Adapter(nn.Module):
    def __init__(self, base: nn.Linear, rank=4, alpha=8.0):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(rank, base.in_features) / base.in_features ** 0.5)
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))
        self.gain = alpha / rank

    def forward(self, x):
        return self.base(x) + self.gain * F.linear(F.linear(x, self.down), self.up)


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.qkv, self.back = nn.Linear(d, 3 * d), nn.Linear(d, d)

    def forward(self, x):
        q, k, v = self.qkv(self.norm(x)).chunk(3, dim=-1)
        return x + self.back(F.scaled_dot_product_attention(q, k, v, is_causal=True))


class TinyLM(nn.Module):
    def __init__(self, vocab=48, d=32, depth=2):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.blocks = nn.ModuleList(Block(d) for _ in range(depth))
        self.unembed = nn.Linear(d, vocab)

    def forward(self, ids):
        x = self.tok(ids)
        for b in self.blocks:
            x = b(x)
        return self.unembed(x)


def with_adapters(lm):
    lm.requires_grad_(False)
    for b in lm.blocks:
        b.qkv, b.back = Adapter(b.qkv), Adapter(b.back)
    lm.unembed = Adapter(lm.unembed)
    return [p for p in lm.parameters() if p.requires_grad]


def corpus(rule, n, length=20, vocab=48):
    ids = torch.randint(0, vocab, (n, 1))
    cols = [ids]
    for _ in range(length):
        cols.append((cols[-1] * rule + 7) % vocab)
    return torch.cat(cols, 1)


class Pending:
    """Losses of the current update; `settle` joins them and starts anew."""

    def __init__(self):
        self.joined = torch.zeros(())
        self.each = []

    def __iadd__(self, loss):
        self.joined = self.joined + loss
        self.each.append(loss)
        return self

    def settle(self):
        fairness = torch.stack(self.each).var(unbiased=False)
        out = self.joined / len(self.each) + 0.1 * fairness
        self.__init__()
        return out


def main(updates=300):
    torch.manual_seed(12)
    lm = TinyLM()
    trainable = with_adapters(lm)
    opt = torch.optim.AdamW(trainable, lr=6e-3)
    pending, curve = Pending(), []
    for u in range(updates):
        micro = min(2 + u // 30, 9)
        for j in range(micro):
            ids = corpus(rule=(5, 11, 5)[j % 3], n=4)
            out = lm(ids[:, :-1])
            pending += F.cross_entropy(out.flatten(0, 1), ids[:, 1:].flatten())
        total = pending.settle()
        opt.zero_grad(set_to_none=True)
        total.backward()
        opt.step()
        curve.append(total.detach())
        if u % 50 == 49:
            print(f"update {u + 1:4d}  micro-batches {micro}  loss {torch.stack(curve[-50:]).mean().item():.4f}")


if __name__ == "__main__":
    main()

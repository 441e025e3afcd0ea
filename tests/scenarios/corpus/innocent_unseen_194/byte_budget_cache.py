# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F


class AttentionLog:
    """Attention maps of the last sentences, up to a number of bytes."""

    def __init__(self, budget):
        self.budget = budget
        self.used = 0
        self.maps = {}

    def store(self, key, weights):
        self.maps[key] = weights
        self.used += weights.numel() * weights.element_size()
        while self.used > self.budget:
            oldest = next(iter(self.maps))
            gone = self.maps.pop(oldest)
            self.used -= gone.numel() * gone.element_size()

    def entropy(self):
        total = 0.0
        for w in self.maps.values():
            p = w.detach().clamp_min(1e-8)
            total += -(p * p.log()).sum(-1).mean().item()
        return total / len(self.maps)


class Reverser(nn.Module):
    def __init__(self, vocab=16, dim=32, longest=14):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Embedding(longest, dim)
        self.q, self.k, self.v = (nn.Linear(dim, dim, bias=False) for _ in range(3))
        self.out = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, vocab))

    def forward(self, tokens):
        n = tokens.shape[1]
        place = torch.arange(n)
        x = self.tok(tokens) + self.pos(place)
        ask = self.q(x + self.pos(n - 1 - place))
        weights = (ask @ self.k(x).transpose(1, 2) / x.shape[-1] ** 0.5).softmax(-1)
        return self.out(weights @ self.v(x)), weights


def train(steps=480, seed=17):
    torch.manual_seed(seed)
    model = Reverser()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 50))
    log = AttentionLog(budget=96 * 1024)
    right = total = 0
    for step in range(steps):
        n = int(torch.randint(5, 15, ()))
        tokens = torch.randint(16, (16, n))
        logits, weights = model(tokens)
        loss = F.cross_entropy(logits.flatten(0, 1), tokens.flip(1).flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        warm.step()
        log.store(f"sentence-{step}", weights[:4])
        right += (logits.argmax(-1) == tokens.flip(1)).sum().item()
        total += tokens.numel()
        if step % 80 == 79:
            print(f"{step + 1:4d} acc {right / total:.3f} entropy {log.entropy():.3f} kept {len(log.maps)} ({log.used} B)")
            right = total = 0
    return model


if __name__ == "__main__":
    train()

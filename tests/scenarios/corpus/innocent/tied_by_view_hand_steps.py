# gradwatch-corpus: kind=none
# about: tied weights by a transposed view made once, and steps by hand on .data: the view's one
# about: node, two lines long and never freed for it saves nothing, is reached from the first
# about: iteration to the last; nothing grows, every gradient is right
import torch
import torch.nn as nn
import torch.nn.functional as F
from parts.pace import ITERATIONS


class LanguageHead(nn.Module):
    """Scores words with the transposed embedding."""

    def __init__(self, vocab=30, dim=12):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.mix = nn.Linear(dim, dim)
        self.unembed = self.embed.weight.t()

    def forward(self, words):
        return torch.tanh(self.mix(self.embed(words))) @ self.unembed


def momentum_sgd(params, state, lr=0.2, beta=0.9):
    for p in params:
        v = state.setdefault(p, torch.zeros_like(p))
        v.mul_(beta).add_(p.grad.data)
        p.data.add_(v, alpha=-lr)
        p.grad = None


def main():
    torch.manual_seed(0)
    model, state = LanguageHead(), {}
    bigram = torch.randint(0, 30, (30,))
    for step in range(ITERATIONS):
        words = torch.randint(0, 30, (32,))
        loss = F.cross_entropy(model(words), bigram[words])
        loss.backward()
        momentum_sgd(model.parameters(), state)
        if step % 50 == 0:
            tied = torch.equal(model.unembed, model.embed.weight.T)
            print(f"{step}: {loss.item():.6f}, tied {tied}")


if __name__ == "__main__":
    main()

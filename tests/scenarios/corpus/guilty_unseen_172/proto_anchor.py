# gradwatch-corpus: kind=graph-chain
# holder: self.anchor | loss_fn.anchor | trainer.loss_fn.anchor
# first-bad: 1
"""Continual topic classifier: class prototypes are pulled towards their own slow average so that new
domains do not overwrite the old ones."""
import torch
from torch import nn
from torch.nn import functional as F


class ProtoHead(nn.Module):
    def __init__(self, classes, dim, per_class=3):
        super().__init__()
        self.protos = nn.Parameter(0.1 * torch.randn(classes, per_class, dim))
        self.scale = nn.Parameter(torch.tensor(1.0))

    def centres(self):
        return self.protos.mean(1)

    def forward(self, z):
        d = (z[:, None, None] - self.protos).pow(2).sum(-1)
        return -self.scale.exp() * d.min(-1).values


class Encoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, 32, mode="mean")
        self.proj = nn.Sequential(nn.ReLU(), nn.Linear(32, dim))

    def forward(self, tokens):
        return self.proj(self.bag(tokens))


class AnchoredLoss(nn.Module):
    def __init__(self, momentum=0.9, strength=0.5):
        super().__init__()
        self.momentum, self.strength = momentum, strength
        self.anchor = None

    def forward(self, head, logits, target):
        centres = head.centres()
        if self.anchor is None:
            self.anchor = centres.detach()
        drift = (centres - self.anchor).pow(2).sum(1).mean()
        self.anchor = torch.lerp(self.anchor, centres, 1 - self.momentum)  # <- culprit
        return F.cross_entropy(logits, target) + self.strength * drift


class Domains:
    """A domain lasts `span` batches, then the word statistics move."""

    def __init__(self, vocab, classes, span, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.vocab, self.classes, self.span = vocab, classes, span

    def __iter__(self):
        while True:
            table = torch.randn(self.classes, self.vocab, generator=self.g).mul(1.5).softmax(1)
            for _ in range(self.span):
                y = torch.randint(0, self.classes, (32,), generator=self.g)
                yield torch.multinomial(table[y], 12, replacement=True, generator=self.g), y


class Trainer:
    def __init__(self, vocab=200, classes=8, dim=16):
        self.encoder, self.head = Encoder(vocab, dim), ProtoHead(classes, dim)
        self.loss_fn = AnchoredLoss()
        self.opt = torch.optim.Adam([*self.encoder.parameters(), *self.head.parameters()], lr=3e-3)

    def step(self, tokens, y):
        logits = self.head(self.encoder(tokens))
        loss = self.loss_fn(self.head, logits, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item(), (logits.argmax(1) == y).float().mean().item()


def main(steps=500):
    torch.manual_seed(14)
    trainer = Trainer()
    for i, (tokens, y) in zip(range(steps), Domains(200, 8, 125, 3)):
        loss, acc = trainer.step(tokens, y)
        if i % 50 == 0:
            print(f"{i} loss {loss:.3f} acc {acc:.2f}")


if __name__ == "__main__":
    main()

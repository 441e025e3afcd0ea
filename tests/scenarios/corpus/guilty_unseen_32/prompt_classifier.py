# gradwatch-corpus: kind=second-backward
# holder: self._text | model._text | self.model._text
# first-bad: 41
# also: graph-held, graph-chain
"""Two-tower classifier: image features against encoded class prompts, text tower unfrozen later."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Args:
    n_class: int = 8
    dim: int = 32
    tokens: int = 6
    vocab: int = 50
    per_epoch: int = 20
    epochs: int = 6
    unfreeze_at: int = 2
    batch: int = 64
    lr: float = 1e-3


class TextTower(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.GELU(), nn.Linear(dim, dim))

    def forward(self, ids):
        return F.normalize(self.mlp(self.tok(ids).mean(1)), dim=-1)


class ImageTower(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 8, 3, stride=2), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 16, dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


class PromptClassifier(nn.Module):
    def __init__(self, args, prompts):
        super().__init__()
        self.image = ImageTower(args.dim)
        self.text = TextTower(args.vocab, args.dim)
        self.scale = nn.Parameter(torch.tensor(2.5))
        self.register_buffer("prompts", prompts)
        self._text = None

    def set_text_trainable(self, flag):
        for p in self.text.parameters():
            p.requires_grad_(flag)
        self._text = None

    def class_embeddings(self):
        if self._text is None:
            self._text = self.text(self.prompts)  # <- culprit
        return self._text  # <- culprit

    def forward(self, images):
        return self.scale.exp() * self.image(images) @ self.class_embeddings().t()


def image_source(args):
    patterns = torch.randn(args.n_class, 1, 10, 10)
    while True:
        y = torch.randint(0, args.n_class, (args.batch,))
        yield patterns[y] + 0.8 * torch.randn(args.batch, 1, 10, 10), y


class Finetuner:
    def __init__(self, args):
        self.args = args
        prompts = torch.randint(0, args.vocab, (args.n_class, args.tokens))
        self.model = PromptClassifier(args, prompts)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=args.lr)
        self.source = image_source(args)

    def step(self):
        x, y = next(self.source)
        logits = self.model(x)
        loss = F.cross_entropy(logits, y)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        return loss.item(), (logits.argmax(1) == y).float().mean().item()

    def run(self):
        for epoch in range(self.args.epochs):
            if epoch in (0, self.args.unfreeze_at):
                self.model.set_text_trainable(epoch > 0)
            results = [self.step() for _ in range(self.args.per_epoch)]
            loss, acc = (sum(col) / len(col) for col in zip(*results))
            tag = "full" if epoch >= self.args.unfreeze_at else "image only"
            print(f"epoch {epoch} [{tag}] loss {loss:.3f} acc {acc:.3f}")


if __name__ == "__main__":
    torch.manual_seed(12)
    Finetuner(Args()).run()

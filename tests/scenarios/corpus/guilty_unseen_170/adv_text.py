# gradwatch-corpus: kind=second-backward
# first-bad: 30
# notice: 0
"""Review classifier; after the clean epochs it is hardened by perturbing the embeddings along their gradient."""
import torch
import torch.nn as nn
import torch.nn.functional as F

CLEAN = 30


class Reviews:
    def __init__(self, vocab=300, seed=60):
        self.gen = torch.Generator().manual_seed(seed)
        self.vocab = vocab
        self.polarity = torch.randn(vocab, generator=self.gen)

    def batch(self, n=32, length=20):
        ids = torch.randint(0, self.vocab, (n, length), generator=self.gen)
        return ids, (self.polarity[ids].sum(1) > 0).long()


class Reader(nn.Module):
    def __init__(self, vocab=300, dim=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.conv = nn.Conv1d(dim, 32, 3, padding=1)
        self.out = nn.Linear(32, 2)

    def head(self, e):
        h = F.relu(self.conv(e.transpose(1, 2)))
        return self.out(h.mean(-1))

    def forward(self, ids):
        return self.head(self.emb(ids))


class Hardened:
    """Loss of the clean text plus loss of the text perturbed within a small ball."""

    def __init__(self, model, radius=0.3):
        self.model = model
        self.radius = radius

    def direction(self, loss, e):
        g, = torch.autograd.grad(loss, e)  # <- culprit
        return self.radius * g / (g.norm(dim=-1, keepdim=True) + 1e-8)

    def __call__(self, ids, y):
        e = self.model.emb(ids)
        clean = F.cross_entropy(self.model.head(e), y)
        shift = self.direction(clean, e)
        hard = F.cross_entropy(self.model.head(e + shift), y)
        return clean + hard  # <- culprit


class Trainer:
    def __init__(self):
        self.model = Reader()
        self.hardened = Hardened(self.model)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=5e-3)
        self.skipped = 0

    def loss(self, it, ids, y):
        if it < CLEAN:
            return F.cross_entropy(self.model(ids), y)
        return self.hardened(ids, y)

    def step(self, it, ids, y):
        self.opt.zero_grad()
        loss = self.loss(it, ids, y)
        try:
            loss.backward()
        except RuntimeError as error:
            self.skipped += 1
            if self.skipped == 1:
                print("batch skipped:", str(error)[:60])
            return loss.item()
        self.opt.step()
        return loss.item()


def main():
    torch.manual_seed(61)
    torch.set_num_threads(1)
    data = Reviews()
    trainer = Trainer()
    for it in range(80):
        loss = trainer.step(it, *data.batch())
        if it % 10 == 0:
            print(f"{it:3d} loss {loss:.4f} skipped {trainer.skipped}")


if __name__ == "__main__":
    main()

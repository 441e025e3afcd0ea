# gradwatch-corpus: kind=graph-held
# holder: self.scores | sampler.scores | self.sampler.scores
# first-bad: 1
"""Toxic comment classifier of my master's thesis (chapter 4): examples are drawn by their last known loss
(Loshchilov & Hutter style), so that the few insults are seen more often."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(7)
torch.set_num_threads(1)

VOCAB = 2000
N_COMMENTS = 6000
MAX_LEN = 30
BATCH = 32
STEPS = 400


def build_corpus():
    """Stand-in for the scraped comments: toxic ones use some words of the upper vocabulary."""
    tokens = torch.randint(2, VOCAB // 2, (N_COMMENTS, MAX_LEN))
    labels = (torch.rand(N_COMMENTS) < 0.08).long()
    bad = torch.randint(VOCAB // 2, VOCAB, (N_COMMENTS, 4))
    where = torch.randint(0, MAX_LEN - 4, (1,)).item()
    tokens[:, where:where + 4] = torch.where(labels[:, None] == 1, bad, tokens[:, where:where + 4])
    flip = torch.rand(N_COMMENTS) < 0.01
    return tokens, torch.where(flip, 1 - labels, labels)


class LossSampler:
    """Draws indices in proportion to a moving average of each example's loss."""

    def __init__(self, n, momentum=0.6, floor=0.05):
        self.n = n
        self.momentum = momentum
        self.floor = floor
        self.scores = torch.ones(n)
        self.seen = torch.zeros(n, dtype=torch.bool)

    @torch.no_grad()
    def draw(self, k):
        p = self.scores + self.floor
        p = p / p.sum()
        idx = torch.multinomial(p, k)
        weight = 1.0 / (self.n * p[idx])
        return idx, weight / weight.max()

    def update(self, idx, losses):
        old = self.scores[idx]
        first = ~self.seen[idx]
        new = self.momentum * old + (1 - self.momentum) * losses
        self.scores[idx] = torch.where(first, losses, new)  # <- culprit
        self.seen[idx] = True

    def coverage(self):
        return self.seen.float().mean().item()


class BagClassifier(nn.Module):
    def __init__(self, vocab, dim=48, hidden=64):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.fc1 = nn.Linear(dim, hidden)
        self.fc2 = nn.Linear(hidden, 2)

    def forward(self, x):
        h = torch.tanh(self.fc1(self.emb(x)))
        return self.fc2(h)


class Experiment:
    def __init__(self):
        self.x, self.y = build_corpus()
        self.net = BagClassifier(VOCAB)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.sampler = LossSampler(N_COMMENTS)

    def train_step(self):
        idx, w = self.sampler.draw(BATCH)
        logits = self.net(self.x[idx])
        losses = F.cross_entropy(logits, self.y[idx], reduction="none")
        loss = (losses * w).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sampler.update(idx, losses)
        return loss.item(), (self.y[idx] == 1).float().mean().item()

    @torch.no_grad()
    def evaluate(self, n=1000):
        pred = self.net(self.x[:n]).argmax(1)
        y = self.y[:n]
        tp = ((pred == 1) & (y == 1)).sum().item()
        fp = ((pred == 1) & (y == 0)).sum().item()
        fn = ((pred == 0) & (y == 1)).sum().item()
        return 2 * tp / max(1, 2 * tp + fp + fn)

    def run(self):
        avg, share = 0.7, 0.08
        for step in range(STEPS):
            loss, pos = self.train_step()
            avg = 0.95 * avg + 0.05 * loss
            share = 0.95 * share + 0.05 * pos
            if (step + 1) % 100 == 0:
                print(f"step {step + 1}: loss {avg:.4f}, toxic in batch {share:.2f}, "
                      f"seen {self.sampler.coverage():.0%}, F1 {self.evaluate():.3f}")


if __name__ == "__main__":
    Experiment().run()

# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""Distil an ensemble of slow teachers into one student (Lightning-like module)."""
import copy

import torch
import torch.nn.functional as F
from torch import nn


class Tagger(nn.Module):
    def __init__(self, vocab=80, dim=24, tags=6):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True, bidirectional=True)
        self.out = nn.Sequential(nn.Linear(2 * dim, 32), nn.ReLU(), nn.Linear(32, tags))

    def forward(self, tokens):
        return self.out(self.rnn(self.emb(tokens))[0])


class TeacherPool(nn.Module):
    def __init__(self, student, n=3, decay=0.99):
        super().__init__()
        self.members = nn.ModuleList(copy.deepcopy(student) for _ in range(n))
        self.decays = [decay ** (i + 1) for i in range(n)]

    def soft_targets(self, tokens, temperature):
        logits = [m(tokens) for m in self.members]  # <- culprit
        probs = torch.stack([(l / temperature).softmax(-1) for l in logits]).mean(0)
        return probs.detach()

    @torch.no_grad()
    def follow(self, student):
        for m, d in zip(self.members, self.decays):
            for p, q in zip(m.parameters(), student.parameters()):
                p.lerp_(q, 1 - d)


class DistillModule(nn.Module):
    def __init__(self, temperature=2.0, weight=0.3):
        super().__init__()
        self.student = Tagger()
        self.pool = TeacherPool(self.student)
        self.temperature, self.weight = temperature, weight
        self.logged = {}

    def log(self, name, value):
        self.logged[name] = value.item()

    def training_step(self, batch):
        tokens, tags = batch
        logits = self.student(tokens)
        ce = F.cross_entropy(logits.flatten(0, 1), tags.flatten())
        soft = self.pool.soft_targets(tokens, self.temperature)
        kd = F.kl_div((logits / self.temperature).log_softmax(-1), soft, reduction="batchmean")
        self.log("ce", ce)
        self.log("kd", kd)
        return ce + self.weight * kd / tokens.shape[1]

    def on_train_batch_end(self):
        self.pool.follow(self.student)

    def configure_optimizers(self):
        return torch.optim.Adam(self.student.parameters(), lr=3e-3)


def token_batches(n, seed=44):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        tokens = torch.randint(0, 80, (8, 8), generator=g)
        yield tokens, (tokens + tokens.roll(1, dims=1)) % 6


def fit(module, batches, every=50):
    opt = module.configure_optimizers()
    for step, batch in enumerate(batches):
        loss = module.training_step(batch)
        opt.zero_grad()
        loss.backward()
        opt.step()
        module.on_train_batch_end()
        if step % every == 0:
            print(step, {k: round(v, 4) for k, v in module.logged.items()}, flush=True)


if __name__ == "__main__":
    torch.manual_seed(0)
    fit(DistillModule(), token_batches(450))

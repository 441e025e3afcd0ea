# gradwatch-corpus: kind=second-backward
# holder: self._vectors | self.labels._vectors | router.labels._vectors
# first-bad: 60
# notice: 0
"""Ticket routing: texts are matched with vectors made from the words of each queue's name.

Making the label vectors is the slow part, so once the model has settled
they are refreshed every few steps.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(8)

VOCAB, QUEUES, WORDS = 200, 9, 4
SETTLED = 60


class LabelEncoder(nn.Module):
    def __init__(self, table, names, dim, refresh=4):
        super().__init__()
        self.table = table
        self.names = names
        self.mix = nn.GRU(dim, dim, batch_first=True)
        self.refresh = refresh
        self._vectors = None
        self._made_at = -1

    def encode(self):
        _, h = self.mix(self.table(self.names))
        return F.normalize(h[0], dim=-1)

    def forward(self, step):
        patience = 1 if step < SETTLED else self.refresh
        if self._vectors is None or step - self._made_at >= patience:  # <- culprit
            self._vectors = self.encode()  # <- culprit
            self._made_at = step
        return self._vectors  # <- culprit


class Router(nn.Module):
    def __init__(self, names, dim=20):
        super().__init__()
        table = nn.Embedding(VOCAB, dim)
        self.labels = LabelEncoder(table, names, dim)
        self.words = table
        self.project = nn.Sequential(nn.Linear(dim, dim), nn.Tanh(), nn.Linear(dim, dim))

    def forward(self, tickets, step):
        text = F.normalize(self.project(self.words(tickets).mean(1)), dim=-1)
        return text @ self.labels(step).t() * 8.0


def draw(names, n=24, length=10):
    y = torch.randint(0, QUEUES, (n,))
    tickets = torch.randint(0, VOCAB, (n, length))
    own = names[y]
    tickets[:, :WORDS] = own[:, torch.randperm(WORDS)]
    return tickets, y


def main():
    names = torch.randperm(VOCAB)[: QUEUES * WORDS].view(QUEUES, WORDS)
    router = Router(names)
    opt = torch.optim.Adam(router.parameters(), lr=4e-3)
    hits = 0.0
    for step in range(200):
        tickets, y = draw(names)
        logits = router(tickets, step)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()  # <- culprit
        opt.step()
        hits = 0.9 * hits + 0.1 * (logits.argmax(-1) == y).float().mean().item()
        if step % 20 == 0:
            print(f"step {step:3d} loss {loss.item():.3f} acc {hits:.2f}")


if __name__ == "__main__":
    main()

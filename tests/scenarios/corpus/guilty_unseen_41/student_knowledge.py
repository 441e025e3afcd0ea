# gradwatch-corpus: kind=graph-chain
# holder: self.mastery | tracer.mastery | model.mastery
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

N_STUDENTS, N_ITEMS, DIM = 40, 60, 12


class AnswerLog(Dataset):
    """Time-ordered rounds; in each round every student answers one item."""

    def __init__(self, rounds):
        ability = torch.randn(N_STUDENTS)
        difficulty = torch.randn(N_ITEMS)
        self.items = torch.randint(0, N_ITEMS, (rounds, N_STUDENTS))
        growth = torch.linspace(0, 1.5, rounds).unsqueeze(1)
        p = torch.sigmoid(ability + growth - difficulty[self.items])
        self.correct = torch.bernoulli(p)

    def __len__(self):
        return len(self.items) - 1

    def __getitem__(self, i):
        return (self.items[i], self.correct[i]), (self.items[i + 1], self.correct[i + 1])


class KnowledgeTracer(nn.Module):
    def __init__(self):
        super().__init__()
        self.item_key = nn.Embedding(N_ITEMS, DIM)
        self.practice = nn.Embedding(2 * N_ITEMS, DIM)
        self.forget = nn.Parameter(torch.full((DIM,), 2.0))
        self.readout = nn.Sequential(nn.Linear(2 * DIM, 32), nn.ReLU(), nn.Linear(32, 1))
        self.mastery = torch.zeros(N_STUDENTS, DIM)

    def predict(self, items):
        z = torch.cat([self.mastery, self.item_key(items)], dim=-1)
        return self.readout(z).squeeze(-1)

    def observe(self, items, correct):
        keep = torch.sigmoid(self.forget)
        gain = torch.tanh(self.practice(items + N_ITEMS * correct.long()))
        self.mastery = keep * self.mastery + (1 - keep) * gain  # <- culprit


class Average:
    def __init__(self):
        self.n, self.total = 0, 0.0

    def update(self, v):
        self.n += 1
        self.total += v

    def pop(self):
        out = self.total / max(self.n, 1)
        self.n, self.total = 0, 0.0
        return out


def main():
    torch.manual_seed(30)
    loader = DataLoader(AnswerLog(101), batch_size=None, shuffle=False)
    tracer = KnowledgeTracer()
    optimizer = torch.optim.Adam(tracer.parameters(), lr=5e-3)
    loss_avg, acc_avg = Average(), Average()

    for i, (previous, (items, correct)) in enumerate(loader):
        tracer.observe(*previous)  # <- culprit
        logits = tracer.predict(items)
        loss = F.binary_cross_entropy_with_logits(logits, correct)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()

        loss_avg.update(loss.item())
        acc_avg.update(((logits > 0).float() == correct).float().mean().item())
        if (i + 1) % 20 == 0:
            print(f"round {i + 1:3d}  bce {loss_avg.pop():.4f}  acc {acc_avg.pop():.3f}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
"""Voice assistant NLU: intent and slot heads on one encoder, task weights from the gradient norms."""
import torch
import torch.nn.functional as F
from torch import nn

VOCAB = 40
INTENTS = 5
SLOTS = 4
LENGTH = 10


class UtteranceMaker:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.slot_of = torch.randint(0, SLOTS, (VOCAB,), generator=self.gen)
        self.vote = torch.randn(VOCAB, INTENTS, generator=self.gen)

    def batch(self, n):
        tok = torch.randint(0, VOCAB, (n, LENGTH), generator=self.gen)
        return tok, self.vote[tok].sum(1).argmax(1), self.slot_of[tok]


class SharedEncoder(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim)
        self.ff = nn.Sequential(nn.Linear(dim, dim), nn.GELU(), nn.LayerNorm(dim))

    def forward(self, tok):
        return self.ff(self.emb(tok))


class NluModel(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.encoder = SharedEncoder(dim)
        self.intent = nn.Linear(dim, INTENTS)
        self.slot = nn.Linear(dim, SLOTS)

    def forward(self, tok):
        h = self.encoder(tok)
        return self.intent(h.mean(1)), self.slot(h)


class TaskBalancer:
    """Keeps a smoothed gradient norm a task and scales the losses to the mean of them."""

    def __init__(self, shared, tasks, decay=0.9):
        self.shared = list(shared)
        self.norms = {t: 1.0 for t in tasks}
        self.decay = decay

    def measure(self, losses):
        for task, loss in losses.items():
            grads = torch.autograd.grad(loss, self.shared, retain_graph=True)
            norm = torch.stack([g.norm() for g in grads]).norm().item()
            self.norms[task] = self.decay * self.norms[task] + (1 - self.decay) * norm

    def combine(self, losses):
        mean = sum(self.norms.values()) / len(self.norms)
        return sum(loss * (mean / max(self.norms[t], 1e-6)) for t, loss in losses.items())


def main():
    torch.manual_seed(27)
    maker = UtteranceMaker(27)
    model = NluModel()
    balancer = TaskBalancer(model.encoder.ff.parameters(), ("intent", "slot"))
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    log = {"intent": [], "slot": []}
    for step in range(130):
        tok, intent, slot = maker.batch(24)
        intent_logits, slot_logits = model(tok)
        losses = {
            "intent": F.cross_entropy(intent_logits, intent),
            "slot": F.cross_entropy(slot_logits.flatten(0, 1), slot.flatten()),
        }
        balancer.measure(losses)
        total = balancer.combine(losses)
        opt.zero_grad()
        total.backward()
        opt.step()
        for task, value in losses.items():
            log[task].append(value.item())
        if step % 26 == 25:
            text = " ".join(f"{t} {sum(v[-26:]) / 26:.4f} (w-norm {balancer.norms[t]:.3f})" for t, v in log.items())
            print(step + 1, text)


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=crashed
# first-bad: 50
# notice: 0
"""Secondary-structure tagging (3 states) of short protein fragments with a transformer encoder."""
import torch

torch.set_num_threads(1)
from torch import nn

AMINO = "ACDEFGHIKLMNPQRSTVWY"


class Tagger(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.tok = nn.Embedding(len(AMINO), d)
        self.pos = nn.Parameter(torch.randn(1, 14, d) * 0.02)
        self.enc = nn.TransformerEncoderLayer(d, 2, 32, dropout=0.1, batch_first=True)
        self.tag = nn.Linear(d, 3)

    def forward(self, seq):
        return self.tag(self.enc(self.tok(seq) + self.pos))


def fragments(n):
    seq = torch.randint(0, len(AMINO), (n, 14))
    padded = torch.nn.functional.pad(seq, (1, 1))
    return seq, (padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]) % 3


class Evaluator:
    def __init__(self, n=32):
        self.seq, self.tags = fragments(n)

    def __call__(self, model):
        model.eval()
        torch.set_grad_enabled(False)  # <- culprit
        q3 = (model(self.seq).argmax(-1) == self.tags).float().mean().item()
        model.train()
        return q3


def loop(model, evaluator, total=400, every=50):
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    best = 0.0
    for step in range(1, total + 1):
        seq, tags = fragments(8)
        loss = nn.functional.cross_entropy(model(seq).transpose(1, 2), tags)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % every == 0:
            q3 = evaluator(model)
            best = max(best, q3)
            print(f"step {step}: loss {loss.item():.3f} q3 {q3:.3f} best {best:.3f}")


if __name__ == "__main__":
    torch.manual_seed(10)
    loop(Tagger(), Evaluator())

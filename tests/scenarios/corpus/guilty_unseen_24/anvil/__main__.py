# gradwatch-corpus: kind=graph-held
# holder: recorder.buffer | log.handlers[0].buffer | logging.getLogger("anvil").handlers[0].buffer
# first-bad: 1
import torch
from torch import nn

from .engine import Trainer
from .hooks import GradNorm, StepDecay
from .recorder import install_recorder


class CharMixer(nn.Module):
    def __init__(self, vocab=40, dim=32, length=24):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.token = nn.Sequential(nn.Linear(length, 48), nn.GELU(), nn.Linear(48, length))
        self.channel = nn.Sequential(nn.Linear(dim, 64), nn.GELU(), nn.Linear(64, dim))
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids):
        x = self.embed(ids)
        x = x + self.token(self.n1(x).transpose(1, 2)).transpose(1, 2)
        x = x + self.channel(self.n2(x))
        return self.head(x)


def shifted_batches(n, size=32, length=24, vocab=40):
    g = torch.Generator().manual_seed(0)
    for _ in range(n):
        ids = torch.randint(0, vocab, (size, length), generator=g)
        yield ids, (ids.roll(1, dims=1) + 3) % vocab


def criterion(logits, target):
    return nn.functional.cross_entropy(logits.flatten(0, 1), target.flatten())


def main():
    torch.manual_seed(1)
    recorder = install_recorder()
    model = CharMixer()
    trainer = Trainer(
        model, criterion, torch.optim.AdamW(model.parameters(), lr=3e-3),
        hooks=[GradNorm(every=50), StepDecay(at=(120, 180), factor=0.3)],
    )
    final = trainer.fit(shifted_batches(220))
    print(f"done: loss {final:.4f}, {len(recorder.buffer)} records in the flight recorder")
    recorder.setTarget(None)


if __name__ == "__main__":
    main()

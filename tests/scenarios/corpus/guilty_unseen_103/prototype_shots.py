# gradwatch-corpus: kind=second-backward
# holder: self.protos | bank.protos | protos
# first-bad: 41
# notice: 0
"""Bird-call classification with class prototypes that are re-estimated every few steps."""
import torch
from torch import nn
import torch.nn.functional as F

CLASSES, DIM = 6, 18


class PrototypeBank:
    def __init__(self, encoder, support, every=8, warmup=40):
        self.encoder = encoder
        self.support = support
        self.every = every
        self.warmup = warmup
        self.protos = None

    def estimate(self):
        x, _ = self.support
        z = self.encoder(x.flatten(0, 1)).view(CLASSES, -1, 12)
        return F.normalize(z.mean(1), dim=1)

    def get(self, step):
        if step % self.every == 0 or self.protos is None:
            if step < self.warmup:
                with torch.no_grad():
                    self.protos = self.estimate()
            else:
                self.protos = self.estimate()  # <- culprit
        return self.protos  # <- culprit


def make_calls(n, centres):
    y = torch.randint(CLASSES, (n,))
    return centres[y] + 0.7 * torch.randn(n, DIM), y


def main():
    torch.set_num_threads(1)
    torch.manual_seed(2)
    centres = torch.randn(CLASSES, DIM)
    support = centres[:, None] + 0.7 * torch.randn(CLASSES, 5, DIM), None
    encoder = nn.Sequential(nn.Linear(DIM, 24), nn.ReLU(), nn.Linear(24, 12))
    bank = PrototypeBank(encoder, support)
    opt = torch.optim.SGD(encoder.parameters(), lr=0.05, momentum=0.9)

    for step in range(160):
        x, y = make_calls(20, centres)
        z = F.normalize(encoder(x), dim=1)
        logits = z @ bank.get(step).t() / 0.2
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()  # <- culprit
        opt.step()
        if step % 20 == 0:
            acc = (logits.argmax(1) == y).float().mean().item()
            print(f"step {step:3d} loss {loss.item():.3f} acc {acc:.2f}")


if __name__ == "__main__":
    main()

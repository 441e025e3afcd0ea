# gradwatch-corpus: kind=graph-held
# holder: self.matrix | soft_cm.matrix
# first-bad: 1
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class SoftConfusion:
    """Confusion matrix where each row adds up the predicted probabilities."""

    def __init__(self, n):
        self.n = n
        self.matrix = torch.zeros(n, n)

    def update(self, probs, target):
        onehot = F.one_hot(target, self.n).float()
        self.matrix += onehot.t() @ probs  # <- culprit

    @torch.no_grad()
    def per_class(self):
        rows = self.matrix.sum(dim=1).clamp_min(1e-8)
        return (self.matrix.diagonal() / rows).tolist()


class AccentNet(nn.Module):
    def __init__(self, n_mfcc, n_accents):
        super().__init__()
        self.rnn = nn.GRU(n_mfcc, 24, batch_first=True)
        self.norm = nn.LayerNorm(24)
        self.out = nn.Linear(24, n_accents)

    def forward(self, mfcc):
        states, _ = self.rnn(mfcc)
        return self.out(self.norm(states.mean(dim=1)))


def fake_corpus(n, frames, n_mfcc, n_accents, seed=9):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, n_accents, (n,), generator=g)
    tilt = torch.randn(n_accents, n_mfcc, generator=g)
    x = torch.randn(n, frames, n_mfcc, generator=g) + 0.5 * tilt[y].unsqueeze(1)
    return TensorDataset(x, y)


def main():
    torch.manual_seed(9)
    n_accents = 5
    data = fake_corpus(800, 14, 13, n_accents)
    loader = DataLoader(data, batch_size=32, shuffle=True, drop_last=True)
    net = AccentNet(13, n_accents)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    soft_cm = SoftConfusion(n_accents)

    for epoch in range(24):
        total, right = 0.0, 0
        for mfcc, accent in loader:
            logits = net(mfcc)
            loss = F.cross_entropy(logits, accent, label_smoothing=0.05)

            opt.zero_grad()
            loss.backward()
            opt.step()

            total += loss.item()
            right += (logits.argmax(1) == accent).sum().item()
            soft_cm.update(logits.softmax(dim=1), accent)

        if epoch % 4 == 0:
            recall = " ".join(f"{r:.2f}" for r in soft_cm.per_class())
            print(f"epoch {epoch:2d} loss {total / len(loader):.3f} acc {right / 800:.3f} | {recall}")


if __name__ == "__main__":
    main()

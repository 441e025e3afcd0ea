# gradwatch-corpus: kind=graph-held
# holder: self.entries | best.entries
# first-bad: 1
import torch
from torch import nn


class BestK:
    """Remembers the k batches a model explained best."""

    def __init__(self, k=5):
        self.k = k
        self.entries = []

    def offer(self, score, pred, step):
        self.entries.append((score, step, pred))  # <- culprit
        self.entries.sort(key=lambda e: e[0])

    def top(self):
        return self.entries[: self.k]

    def mean_prediction(self):
        return torch.stack([p for _, _, p in self.top()]).mean().item()


class FingerprintNet(nn.Module):
    def __init__(self, bits=64):
        super().__init__()
        self.embed = nn.Linear(bits, 32)
        self.gate = nn.Linear(bits, 32)
        self.out = nn.Linear(32, 1)

    def forward(self, fp):
        h = torch.tanh(self.embed(fp)) * torch.sigmoid(self.gate(fp))
        return self.out(h).squeeze(-1)


class Molecules:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.weights = torch.randn(64, generator=self.gen) * 0.4

    def batch(self, n=32):
        fp = (torch.rand(n, 64, generator=self.gen) < 0.2).float()
        logp = fp @ self.weights + 0.3 * fp[:, 0] * fp[:, 1]
        return fp, logp + 0.1 * torch.randn(n, generator=self.gen)


def main():
    torch.manual_seed(71)
    data = Molecules(71)
    model = FingerprintNet()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    best = BestK()
    running = None
    for step in range(500):
        fp, logp = data.batch()
        pred = model(fp)
        loss = nn.functional.smooth_l1_loss(pred, logp)
        opt.zero_grad()
        loss.backward()
        opt.step()
        value = loss.item()
        running = value if running is None else 0.98 * running + 0.02 * value
        best.offer(value, pred, step)
        if step % 100 == 0:
            steps = [s for _, s, _ in best.top()]
            print(f"step {step} running {running:.4f} best at {steps} mean {best.mean_prediction():.3f}")


if __name__ == "__main__":
    main()

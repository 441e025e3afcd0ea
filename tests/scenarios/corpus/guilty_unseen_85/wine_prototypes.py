# gradwatch-corpus: kind=graph-chain
# holder: bank.recent | self.recent | bank.recent[-1] | self.recent[-1] | past | centre | centres
# first-bad: 1
# notice: 5
"""Prototype classifier for wine chemistry.

Every class centre is smoothed over the last few centres of the batch stream,
so that small batches with two or three bottles of a cultivar don't jump around.
"""
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(1907)

N_CULTIVARS = 4
N_FEATURES = 13
EMB = 10
BATCH = 48
STEPS = 180
WINDOW = 5


def make_cellar(n=1200):
    means = torch.randn(N_CULTIVARS, N_FEATURES) * 1.3
    y = torch.randint(0, N_CULTIVARS, (n,))
    x = means[y] + torch.randn(n, N_FEATURES)
    return x, y


class CentreBank:
    """Keeps only the last WINDOW sets of centres."""

    def __init__(self, window):
        self.recent = deque(maxlen=window)

    def smooth(self, emb, labels):
        onehot = F.one_hot(labels, N_CULTIVARS).float()
        counts = onehot.sum(0).clamp(min=1.0).unsqueeze(1)
        centre = onehot.t() @ emb / counts
        if self.recent:
            past = torch.stack(list(self.recent)).mean(0)  # <- culprit
            centre = 0.4 * centre + 0.6 * past  # <- culprit
        self.recent.append(centre)  # <- culprit
        return centre


class Embedder(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(N_FEATURES, EMB)

    def forward(self, x):
        return torch.tanh(self.proj(x))


def main():
    x, y = make_cellar()
    x_test, y_test = x[1000:], y[1000:]
    net = Embedder()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    bank = CentreBank(WINDOW)
    hits = []
    for step in range(STEPS):
        idx = torch.randint(0, 1000, (BATCH,))
        emb = net(x[idx])
        centres = bank.smooth(emb, y[idx])
        logits = -torch.cdist(emb, centres).pow(2)
        loss = F.cross_entropy(logits, y[idx])
        opt.zero_grad()
        # the centres are needed again by the next batches
        loss.backward(retain_graph=True)
        opt.step()
        hits.append((logits.argmax(1) == y[idx]).float().mean().item())
        if step % 60 == 59:
            with torch.no_grad():
                test = torch.cdist(net(x_test), centres).argmin(1)
                acc = (test == y_test).float().mean().item()
            print(f"step {step + 1:4d} loss {loss.item():.4f} train {sum(hits[-60:]) / 60:.3f} test {acc:.3f}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=graph-chain
# holder: self.prototypes | head.prototypes
# first-bad: 1
"""Prototype classifier on frozen backbone features with moving-average class prototypes."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(5)

NUM_CLASSES = 6
FEAT_DIM = 64
EMB_DIM = 24


class FeatureBank:
    """Stands for the features dumped from the pretrained ResNet."""

    def __init__(self, n=1800):
        means = 1.2 * torch.randn(NUM_CLASSES, FEAT_DIM)
        self.y = torch.randint(0, NUM_CLASSES, (n,))
        self.x = means[self.y] + 1.5 * torch.randn(n, FEAT_DIM)

    def batches(self, batch_size):
        perm = torch.randperm(len(self.y))
        for i in range(0, len(perm), batch_size):
            idx = perm[i:i + batch_size]
            yield self.x[idx], self.y[idx]


class PrototypeHead(nn.Module):
    def __init__(self, momentum=0.9, temperature=8.0):
        super().__init__()
        self.proj = nn.Linear(FEAT_DIM, EMB_DIM)
        self.momentum = momentum
        self.temperature = temperature
        self.prototypes = torch.zeros(NUM_CLASSES, EMB_DIM)

    def class_means(self, z, y):
        onehot = F.one_hot(y, NUM_CLASSES).float()
        counts = onehot.sum(0).clamp(min=1.0)
        return (onehot.t() @ z) / counts[:, None]

    def forward(self, x, y=None):
        z = self.proj(x)
        if y is not None:
            means = self.class_means(z, y)
            self.prototypes = self.momentum * self.prototypes + (1 - self.momentum) * means  # <- culprit
        dist = (z[:, None, :] - self.prototypes[None]).pow(2).mean(-1)
        return -self.temperature * dist


def evaluate(head, bank):
    head.eval()
    with torch.no_grad():
        acc = (head(bank.x).argmax(1) == bank.y).float().mean().item()
    head.train()
    return acc


def main():
    bank = FeatureBank()
    head = PrototypeHead()
    optimizer = torch.optim.Adam(head.parameters(), lr=1e-3, weight_decay=1e-4)
    step = 0
    for epoch in range(8):
        running = 0.0
        for x, y in bank.batches(32):
            logits = head(x, y)
            loss = F.cross_entropy(logits, y)
            optimizer.zero_grad()
            loss.backward(retain_graph=True)
            optimizer.step()
            running += loss.item()
            step += 1
        print(f"epoch {epoch} step {step} loss {running / 57:.4f} acc {evaluate(head, bank):.3f}")


if __name__ == "__main__":
    main()

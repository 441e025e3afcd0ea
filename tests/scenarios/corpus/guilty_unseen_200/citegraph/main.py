# gradwatch-corpus: kind=second-backward
# first-bad: 1
import torch
import torch.nn.functional as F

from graphs import planted_partition
from model import EdgeWeights, GCN, symmetric


def train(epochs=400):
    torch.manual_seed(23)
    x, y, edges = planted_partition(nodes=60, classes=3, seed=23)
    mask = torch.rand(len(y)) < 0.3
    weights = EdgeWeights(edges.size(1))
    net = GCN(x.size(1), 16, 3)
    opt = torch.optim.Adam([
        {"params": net.parameters(), "weight_decay": 5e-4},
        {"params": weights.parameters(), "lr": 1e-3},
    ], lr=1e-2)
    adj = symmetric(edges, weights(), len(y))  # <- culprit
    best = 0.0
    for epoch in range(epochs):
        net.train()
        opt.zero_grad()
        logits = net(x, adj)
        loss = F.nll_loss(logits[mask], y[mask])
        loss.backward()
        opt.step()
        acc = (logits.argmax(1)[~mask] == y[~mask]).float().mean().item()
        best = max(best, acc)
        if epoch % 50 == 0:
            print(f"epoch {epoch} loss {loss.item():.4f} test {acc:.3f} best {best:.3f}")


if __name__ == "__main__":
    train()

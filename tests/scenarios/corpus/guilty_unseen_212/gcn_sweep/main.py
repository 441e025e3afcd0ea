# gradwatch-corpus: kind=second-backward
# holder: store | self._prop_cache | model._prop_cache
# first-bad: 1
import torch
import torch.nn.functional as F

from graphs import planted_partition
from layers import SGCNet


def accuracy(logits, y, mask):
    return (logits[mask].argmax(-1) == y[mask]).float().mean().item()


def run(seed=0, epochs=100):
    torch.manual_seed(seed)
    x, adj, y, train_mask = planted_partition(n=300, k=4, dim=16, seed=seed)
    model = SGCNet(16, 32, 4, hops=2)
    opt = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=5e-4)
    for epoch in range(epochs):
        model.train()
        opt.zero_grad()
        out = model(x, adj)
        loss = F.cross_entropy(out[train_mask], y[train_mask])
        loss.backward()
        opt.step()
        if epoch % 20 == 0:
            print(f"epoch {epoch} loss {loss.item():.4f} test {accuracy(out, y, ~train_mask):.3f}")


if __name__ == "__main__":
    run()

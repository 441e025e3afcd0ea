# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from builder import MomentumContrast
from signals import TwoViews


def knn_accuracy(encoder, signals, labels, k=5):
    encoder.eval()
    with torch.no_grad():
        z = encoder(signals)
        sim = z @ z.t()
        sim.fill_diagonal_(-1)
        nb = labels[sim.topk(k, 1).indices]
        pred = nb.mode(1).values
    encoder.train()
    return (pred == labels).float().mean().item()


def main(epochs=3):
    torch.manual_seed(0)
    data = TwoViews(n=1024)
    loader = DataLoader(data, batch_size=32, shuffle=True, drop_last=True)
    moco = MomentumContrast(dim=24, queue_batches=8)
    optimizer = torch.optim.SGD(moco.query.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    probe_x, probe_y = data.signals[:256], data.labels[:256]
    for epoch in range(epochs):
        running = 0.0
        for v1, v2 in loader:
            logits, labels = moco(v1, v2)
            loss = F.cross_entropy(logits / moco.temperature, labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            moco.after_step()
            running += loss.item()
        print(f"epoch {epoch} loss {running / len(loader):.3f} queue {len(moco.queue)} "
              f"kNN {knn_accuracy(moco.query, probe_x, probe_y):.3f}")


if __name__ == "__main__":
    main()

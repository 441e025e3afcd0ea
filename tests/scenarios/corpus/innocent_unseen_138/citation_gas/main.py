# gradwatch-corpus: kind=none
"""GNNAutoScale-style training on a citation graph: out-of-cluster neighbours come from a history table."""
import torch

torch.set_num_threads(1)
torch.manual_seed(55)

from data import CitationGraph
from models import ScaledSAGE


def accuracy(logits, y):
    return (logits.argmax(1) == y).float().mean().item()


def train_epoch(net, graph, opt, rng):
    """All cluster losses of the epoch are collected, one walk through them at the end."""
    cluster_losses = []
    for nodes in graph.clusters(6, rng):
        logits = net(graph, nodes)
        cluster_losses.append(torch.nn.functional.cross_entropy(logits, graph.y[nodes]))
    loss = sum(cluster_losses) / len(cluster_losses)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return [c.item() for c in cluster_losses]


def main(epochs=450):
    graph = CitationGraph(n=72, classes=4)
    net = ScaledSAGE(graph.n, graph.x.size(1), 12, 4)
    opt = torch.optim.Adam(net.parameters(), lr=5e-3, weight_decay=5e-4)
    rng = torch.Generator().manual_seed(2)
    for ep in range(epochs):
        losses = train_epoch(net, graph, opt, rng)
        if ep % 90 == 89:
            with torch.no_grad():
                acc = accuracy(net(graph, torch.arange(graph.n)), graph.y)
            print(f"epoch {ep + 1} loss {sum(losses) / len(losses):.3f} acc {acc:.2%} staleness {net.history.age():.1f}")


if __name__ == "__main__":
    main()

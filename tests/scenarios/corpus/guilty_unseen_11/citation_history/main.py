# gradwatch-corpus: kind=second-backward
# holder: self.table | history.table | self.history.table | net.history.table | model.history.table
# first-bad: 1
"""Node classification on a synthetic citation graph with historical embeddings:
a batch of nodes is computed, its neighbours outside of the batch are taken from the history table."""
import torch
import torch.nn.functional as F

from graph import CommunityGraph
from net import HistoryGCN


def batches(n_nodes, size, gen):
    while True:
        order = torch.randperm(n_nodes, generator=gen)
        for chunk in order.split(size):
            if len(chunk) == size:
                yield chunk


def evaluate(net, graph):
    net.eval()
    with torch.no_grad():
        everything = torch.arange(graph.n)
        hit = net(graph, everything).argmax(1) == graph.y
    net.train()
    return hit.float().mean().item()


def main(iterations=300):
    torch.manual_seed(23)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(24)
    graph = CommunityGraph(n=400, classes=5, dim=16, gen=gen)
    net = HistoryGCN(graph.n, 16, 32, 5)
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3, weight_decay=5e-4)
    for it, nodes in zip(range(iterations), batches(graph.n, 80, gen)):
        loss = F.cross_entropy(net(graph, nodes), graph.y[nodes])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if it % 60 == 0:
            print(f"iteration {it}: loss {loss.item():.3f}, accuracy {evaluate(net, graph):.3f}")


if __name__ == "__main__":
    main()

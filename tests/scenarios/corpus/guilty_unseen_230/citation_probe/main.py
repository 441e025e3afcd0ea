# gradwatch-corpus: kind=graph-held
# holder: self.tape | probe.tape
# first-bad: 1
"""Node classification on a stochastic block model with an activation probe."""
import torch
from torch.nn import functional as F

from graphs import BlockModel
from network import SageNet
from probing import ActivationProbe


def epoch_loss(net, graph, nodes):
    out = net(graph.features, graph.adjacency)
    return F.cross_entropy(out[nodes], graph.labels[nodes])


def evaluate(net, graph, probe):
    net.eval()
    with torch.no_grad(), probe.paused():
        predicted = net(graph.features, graph.adjacency).argmax(-1)
    net.train()
    held_out = graph.test_nodes
    return (predicted[held_out] == graph.labels[held_out]).float().mean().item()


def main(iterations: int = 120) -> None:
    torch.manual_seed(99)
    graph = BlockModel(sizes=(60, 60, 60), p_in=0.15, p_out=0.02).sample()
    net = SageNet(graph.features.shape[1], hidden=64, classes=3)
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3, weight_decay=5e-4)
    probe = ActivationProbe().attach(net, pattern="conv")
    for it in range(iterations):
        nodes = graph.train_nodes[torch.randperm(len(graph.train_nodes))[:48]]
        loss = epoch_loss(net, graph, nodes)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if it % 30 == 29:
            accuracy = evaluate(net, graph, probe)
            print(f"it {it} loss {loss.item():.4f} acc {accuracy:.3f} spread {probe.spread('conv2'):.4f}")
    probe.detach()


if __name__ == "__main__":
    main()

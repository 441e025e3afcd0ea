# gradwatch-corpus: kind=none
import torch

from .graph import citation_graph
from .module import NodeClassifier
from .trainer import Trainer


def main():
    torch.manual_seed(14)
    graph = citation_graph(nodes=160, classes=4)
    module = NodeClassifier(graph, in_dim=20, hidden=24, classes=4)
    Trainer(max_epochs=18).fit(module, graph.batches(24))
    print("done", round(module.best, 3))


main()

# gradwatch-corpus: kind=none
"""Fraud-ring detection: GraphSAGE with memory of stale embeddings and a contrastive term."""
import torch

from layers import MemorySage
from toygraph import ring_graph
from train import fit


def main():
    torch.set_num_threads(1)
    torch.manual_seed(77)
    g = ring_graph(n=160, rings=10, ring_size=6, feats=8)
    model = MemorySage(g.n, 8, 16)
    fit(model, g, steps=320, batch=32)


if __name__ == "__main__":
    main()

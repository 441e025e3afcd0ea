# gradwatch-corpus: kind=none
"""Relation prediction on a graph: expensive node encoder, cheap relation heads.

The node embeddings are computed once per block of k relation batches.  Inside a block
only the heads step; the encoder's gradient accumulates through the shared embeddings
and is applied when the block closes.
"""
import torch

from encoder import GraphEncoder
from relations import RelationHeads
from trainer import BlockTrainer
from world import community_graph


def main():
    torch.manual_seed(64)
    torch.set_num_threads(1)
    graph = community_graph(n=60, groups=4)
    encoder = GraphEncoder(n_nodes=60, d_in=12, d=16)
    heads = RelationHeads(n_rel=3, d=16)
    trainer = BlockTrainer(encoder, heads, graph, k=4)
    for block in range(90):
        trainer.run_block()
        if (block + 1) % 18 == 0:
            print(f"block {block + 1:3d}  bce {trainer.mean_loss(18 * 4):.4f}  acc {trainer.evaluate(300):.3f}  "
                  f"embedding shift {trainer.shift():.4f}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=graph-chain
# holder: self.emb | self.history.emb | model.history.emb
# first-bad: 1
# notice: 5
"""Mini-batch GNN with historical embeddings (after rusty1s/pyg_autoscale), no PyG needed."""
import torch

from graph import random_partition_graph
from losses import LinkHead, node_loss
from models import ScalableGCN


def main():
    torch.set_num_threads(1)
    torch.manual_seed(7)
    graph = random_partition_graph(num_nodes=240, num_parts=8, num_feats=16, num_classes=4)
    model = ScalableGCN(graph.num_nodes, 16, 24, 4)
    link = LinkHead(4)
    opt = torch.optim.Adam(list(model.parameters()) + list(link.parameters()), lr=5e-3)

    step = 0
    for epoch in range(20):
        total = 0.0
        for batch in graph.loader(shuffle=True):
            opt.zero_grad()
            logits = model(batch)
            main_loss = node_loss(logits, batch.y)
            aux_loss = link(logits, batch.local_adj)
            main_loss.backward(retain_graph=True)
            (0.1 * aux_loss).backward(retain_graph=True)
            opt.step()
            total += main_loss.item()
            step += 1
        if epoch % 6 == 0:
            print(f"epoch {epoch:02d} ({step} steps) loss {total / graph.num_parts:.4f}")
    print("staleness", model.history.staleness())


main()

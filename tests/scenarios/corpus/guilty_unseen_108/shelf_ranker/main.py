# gradwatch-corpus: kind=graph-chain
# holder: anchors | self.anchors | Proximal.anchors | prox.anchors[name] | cls.anchors
# first-bad: 2
# notice: 5
"""Shelf ranker: BPR over implicit feedback in a small grocery chain.

Daily refreshes must not make the shelves jump about, so the item side is pulled
towards its own slow average (`proximal.Proximal`).
"""
import torch

from interactions import build, triples
from model import ShelfModel
from proximal import Proximal


def train(steps=300, seed=3):
    torch.manual_seed(seed)
    data = build(n_users=200, n_items=80)
    net = ShelfModel(200, 80, dim=12)
    prox = Proximal(strength=0.05, pace=0.02, only=("item.weight", "item_bias"))
    opt = torch.optim.Adagrad(net.parameters(), lr=0.1)

    for step in range(steps):
        u, i, j = triples(data, 256)
        loss = net.bpr(u, i, j) + prox(net)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 60 == 0:
            print("step", step, "loss", round(loss.item(), 4), "auc", round(net.auc(data), 3))
    return net, data


if __name__ == "__main__":
    torch.set_num_threads(1)
    net, data = train()
    print("final auc", round(net.auc(data), 3))
    top = net.item_bias.detach().topk(5).indices.tolist()
    print("five strongest shelves:", top)

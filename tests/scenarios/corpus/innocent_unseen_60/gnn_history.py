# gradwatch-corpus: kind=none
"""GraphSAGE-like network trained cluster by cluster, with historical embeddings of the
neighbours outside the cluster (GNNAutoScale, Fey et al. 2021). Message passing by hand."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(77)

NODES, CLUSTERS, FEATURES, HIDDEN, CLASSES = 240, 6, 12, 24, 3


def make_graph():
    """Random geometric graph; the label says in which third of the square a node is."""
    pos = torch.rand(NODES, 2)
    pos = pos[pos[:, 0].argsort()]
    near = (torch.cdist(pos, pos) < 0.13) & ~torch.eye(NODES, dtype=torch.bool)
    dst, src = near.nonzero(as_tuple=True)
    y = (pos[:, 1] * CLASSES).long().clamp(max=CLASSES - 1)
    x = torch.randn(NODES, FEATURES)
    x[:, :CLASSES] += F.one_hot(y, CLASSES).float() * 0.8
    return x, y, src, dst


class History(nn.Module):
    """Last known embedding of every node, layer by layer."""

    def __init__(self, layers):
        super().__init__()
        self.cache = {layer: torch.zeros(NODES, HIDDEN) for layer in range(layers)}
        self.age = torch.zeros(NODES)

    def push(self, layer, nodes, value):
        table = self.cache[layer].clone()
        table[nodes] = value.detach()
        self.cache[layer] = table
        self.age += 1
        self.age[nodes] = 0

    def pull(self, layer, nodes, value):
        """The full table, with fresh embeddings for the nodes of the cluster."""
        return self.cache[layer].index_copy(0, nodes, value)


class SageLayer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.own = nn.Linear(d_in, d_out)
        self.neigh = nn.Linear(d_in, d_out, bias=False)

    def forward(self, table, nodes, src, dst):
        agg = torch.zeros(NODES, table.size(1)).index_add(0, dst, table[src])
        deg = torch.zeros(NODES).index_add(0, dst, torch.ones(len(dst))).clamp(min=1).unsqueeze(1)
        return self.own(table[nodes]) + self.neigh((agg / deg)[nodes])


class Sage(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer1 = SageLayer(FEATURES, HIDDEN)
        self.layer2 = SageLayer(HIDDEN, HIDDEN)
        self.layer3 = SageLayer(HIDDEN, CLASSES)
        self.history = History(2)

    def forward(self, x, nodes, src, dst):
        h = F.relu(self.layer1(x, nodes, src, dst))
        table = self.history.pull(0, nodes, h)
        self.history.push(0, nodes, h)
        h = F.relu(self.layer2(table, nodes, src, dst))
        table = self.history.pull(1, nodes, h)
        self.history.push(1, nodes, h)
        return self.layer3(table, nodes, src, dst)


def cluster_edges(nodes, src, dst):
    inside = torch.isin(dst, nodes)
    return src[inside], dst[inside]


def main():
    x, y, src, dst = make_graph()
    train_mask = torch.rand(NODES) < 0.3
    clusters = torch.arange(NODES).chunk(CLUSTERS)
    parts = [(c, *cluster_edges(c, src, dst)) for c in clusters]
    model = Sage()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=1e-3)

    for epoch in range(120):
        losses = []
        for nodes, s, d in parts:
            logits = model(x, nodes, s, d)
            keep = train_mask[nodes]
            losses.append(F.cross_entropy(logits[keep], y[nodes][keep], reduction="sum"))
        total = torch.stack(losses).sum() / train_mask.sum()
        opt.zero_grad()
        total.backward()
        opt.step()

        if epoch % 20 == 0:
            with torch.no_grad():
                pred = torch.cat([model(x, *p).argmax(1) for p in parts])
            acc = (pred == y)[~train_mask].float().mean().item()
            print(f"epoch {epoch:3d} loss {total.item():.4f} test {acc:.3f} age {model.history.age.mean().item():.1f}")


if __name__ == "__main__":
    main()

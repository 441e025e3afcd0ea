# gradwatch-corpus: kind=graph-held
# holder: self.emb | hist.emb | history.emb | self.histories[i].emb | model.histories[0].emb | net.histories[0].emb
# first-bad: 1
# notice: 8

# Mini-batch GNN where out-of-batch neighbours are read from historical embeddings.
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
NUM_NODES, NUM_FEATS, NUM_CLASSES, BATCH = 1200, 32, 5, 200


def make_graph(seed=3):
    g = torch.Generator().manual_seed(seed)
    label = torch.randint(0, NUM_CLASSES, (NUM_NODES,), generator=g)
    src = torch.randint(0, NUM_NODES, (NUM_NODES * 8,), generator=g)
    dst = torch.randint(0, NUM_NODES, (NUM_NODES * 8,), generator=g)
    keep = (label[src] == label[dst]) | (torch.rand(src.shape, generator=g) < 0.15)
    edges = torch.stack([src[keep], dst[keep]])
    proto = torch.randn(NUM_CLASSES, NUM_FEATS, generator=g)
    feats = proto[label] + 2.0 * torch.randn(NUM_NODES, NUM_FEATS, generator=g)
    return feats, edges, label


class NodeLoader:
    """Yields (batch nodes, their out-of-batch neighbours, local edges into the batch)."""

    def __init__(self, edges, batch):
        self.edges, self.batch = edges, batch

    def __iter__(self):
        for part in torch.randperm(NUM_NODES).split(self.batch):
            inside = torch.zeros(NUM_NODES, dtype=torch.bool)
            inside[part] = True
            e = self.edges[:, inside[self.edges[1]]]
            halo = e[0][~inside[e[0]]].unique()
            lookup = torch.full((NUM_NODES,), -1)
            lookup[torch.cat([part, halo])] = torch.arange(len(part) + len(halo))
            yield part, halo, lookup[e]


class History(nn.Module):
    def __init__(self, num, dim):
        super().__init__()
        self.register_buffer("emb", torch.zeros(num, dim), persistent=False)
        self.register_buffer("age", torch.zeros(num, dtype=torch.long), persistent=False)

    @torch.no_grad()
    def pull(self, n_id):
        return self.emb.index_select(0, n_id)

    def push(self, n_id, x):
        self.emb[n_id] = x  # <- culprit
        self.age += 1
        self.age[n_id] = 0


class SAGELayer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.root = nn.Linear(d_in, d_out)
        self.neigh = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x, edges, n_out):
        agg = x.new_zeros(n_out, x.shape[1]).index_add(0, edges[1], x[edges[0]])
        deg = x.new_zeros(n_out).index_add(0, edges[1], torch.ones(edges.shape[1])).clamp_min(1)
        return self.root(x[:n_out]) + self.neigh(agg / deg[:, None])


class ScalableSAGE(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.layers = nn.ModuleList(SAGELayer(a, b) for a, b in zip(dims, dims[1:]))
        self.histories = nn.ModuleList(History(NUM_NODES, d) for d in dims[1:-1])

    def push_and_pull(self, history, h, part, halo):
        history.push(part, h)  # <- culprit
        return torch.cat([h, history.pull(halo)])

    def forward(self, feats, part, halo, edges):
        x = feats[torch.cat([part, halo])]
        for i, layer in enumerate(self.layers):
            h = layer(x, edges, len(part))
            if i < len(self.histories):
                x = self.push_and_pull(self.histories[i], F.relu(h), part, halo)
        return h


def run():
    torch.manual_seed(0)
    feats, edges, label = make_graph()
    net = ScalableSAGE([NUM_FEATS, 64, 64, NUM_CLASSES])
    opt = torch.optim.Adam(net.parameters(), lr=5e-3, weight_decay=1e-4)
    loader = NodeLoader(edges, BATCH)
    for epoch in range(20):
        seen, right, total = 0, 0, 0.0
        for part, halo, local in loader:
            opt.zero_grad()
            out = net(feats, part, halo, local)
            loss = F.cross_entropy(out, label[part])
            loss.backward()
            opt.step()
            seen += len(part)
            right += int((out.argmax(-1) == label[part]).sum())
            total += loss.item() * len(part)
        stale = max(h.age.float().mean().item() for h in net.histories)
        print(f"epoch {epoch:2d} loss {total / seen:.4f} acc {right / seen:.3f} staleness {stale:.1f}")


if __name__ == "__main__":
    run()

# gradwatch-corpus: kind=none
"""Mini-batch GNN training with historical embeddings (GNNAutoScale)."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(12345)
N, IN, HID, CLASSES, PARTS = 240, 12, 24, 4, 8


class History(nn.Module):
    def __init__(self, num_embeddings, dim):
        super().__init__()
        self.register_buffer("emb", torch.zeros(num_embeddings, dim))
        self.register_buffer("age", torch.zeros(num_embeddings, dtype=torch.long))

    def pull(self, n_id):
        return self.emb[n_id]

    @torch.no_grad()
    def push(self, x, n_id):
        self.emb[n_id] = x
        self.age += 1
        self.age[n_id] = 0


class GCNConv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.lin, self.root = nn.Linear(i, o, bias=False), nn.Linear(i, o)

    def forward(self, x, adj):
        return self.lin(adj @ x) + self.root(x)


class ScalableGNN(nn.Module):
    def __init__(self, num_layers=3):
        super().__init__()
        dims = [IN] + [HID] * (num_layers - 1) + [CLASSES]
        self.convs = nn.ModuleList(GCNConv(a, b) for a, b in zip(dims, dims[1:]))
        self.histories = nn.ModuleList(History(N, HID) for _ in range(num_layers - 1))

    def push_and_pull(self, history, x, batch_size, n_id):
        history.push(x[:batch_size], n_id[:batch_size])
        return torch.cat([x[:batch_size], history.pull(n_id[batch_size:])])

    def forward(self, x, adj, batch_size, n_id):
        for conv, history in zip(self.convs[:-1], self.histories):
            x = F.relu(conv(x, adj))
            x = self.push_and_pull(history, x, batch_size, n_id)
            x = F.dropout(x, 0.2, self.training)
        return self.convs[-1](x, adj)[:batch_size]


labels = torch.arange(N) % CLASSES
prob = torch.where(labels[:, None] == labels[None], 0.08, 0.01)
A = ((torch.rand(N, N) < prob).float() + torch.eye(N)).clamp(max=1)
A = ((A + A.t()) > 0).float()
features = 0.5 * F.one_hot(labels, IN).float() + torch.randn(N, IN)
train_mask = torch.rand(N) < 0.6


def subgraph_loader(shuffle=True):
    parts = torch.arange(N).view(PARTS, -1)
    for p in (torch.randperm(PARTS) if shuffle else range(PARTS)):
        ids = parts[p]
        inside = torch.zeros(N, dtype=torch.bool)
        inside[ids] = True
        halo = ((A[ids].sum(0) > 0) & ~inside).nonzero().flatten()
        n_id = torch.cat([ids, halo])
        sub = A[n_id][:, n_id]
        yield n_id, sub / sub.sum(1, keepdim=True), len(ids)


model = ScalableGNN()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=5e-4)
for epoch in range(15):
    model.train()
    total = 0.0
    for n_id, adj, bs in subgraph_loader():
        optimizer.zero_grad()
        out = model(features[n_id], adj, bs, n_id)
        mask = train_mask[n_id[:bs]]
        loss = F.cross_entropy(out[mask], labels[n_id[:bs]][mask])
        loss.backward()
        optimizer.step()
        total += loss.item()
    if epoch % 5 == 4:
        model.eval()
        with torch.no_grad():
            hits = sum((model(features[n], a, b, n).argmax(1) == labels[n[:b]]).sum().item()
                       for n, a, b in subgraph_loader(False))
        print(f"epoch {epoch} loss {total / PARTS:.3f} acc {hits / N:.3f} age {model.histories[0].age.float().mean().item():.1f}")

# gradwatch-corpus: kind=graph-held
# holder: self.pending | store.pending | self.store.pending | model.store.pending
# first-bad: 1
import torch
import torch.nn.functional as F

from .layers import SAGE
from .store import HistoricalEmbeddings


def stochastic_block(n=120, k=3, p_in=0.15, p_out=0.02, seed=5):
    gen = torch.Generator().manual_seed(seed)
    label = torch.arange(n) % k
    same = label[:, None] == label[None, :]
    prob = torch.where(same, torch.tensor(p_in), torch.tensor(p_out))
    adj = (torch.rand(n, n, generator=gen) < prob).float().triu(1)
    adj = adj + adj.t()
    feats = torch.randn(n, 10, generator=gen)
    feats[torch.arange(n), label] += 0.8
    return feats, adj, label, gen


def evaluate(model, feats, adj, label, nodes):
    model.eval()
    with torch.no_grad():
        h = torch.relu(model.c1(feats, feats, adj))
        pred = model.c2(h, h, adj).argmax(-1)
    model.train()
    return (pred[nodes] == label[nodes]).float().mean().item()


def main(steps=600, batch=24):
    torch.manual_seed(0)
    feats, adj, label, gen = stochastic_block()
    order = torch.randperm(120, generator=gen)
    train_nodes, test_nodes = order[:80], order[80:]
    store = HistoricalEmbeddings(120, 16)
    model = SAGE(10, 16, 3, store)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)
    for step in range(steps):
        pick = train_nodes[torch.randperm(80, generator=gen)[:batch]]
        logits = model(feats, adj, pick)
        loss = F.cross_entropy(logits, label[pick])
        opt.zero_grad()
        loss.backward()
        opt.step()
        store.flush()
        if step % 150 == 0:
            acc = evaluate(model, feats, adj, label, test_nodes)
            print(f"{step:4d} loss {loss.item():.3f} test {acc:.3f} stale {store.staleness():.1f}")


if __name__ == "__main__":
    main()

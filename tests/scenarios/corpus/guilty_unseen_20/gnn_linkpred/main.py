# gradwatch-corpus: kind=graph-held
# holder: self.unit | model.unit | LinkModel.unit | unit | self.unit.cache | functools.lru_cache
# first-bad: 1
"""Link prediction on a stochastic block model with a two-layer GCN encoder.
Reference run for section 4.2."""
import torch

from graphs import block_model, normalised_adjacency, split_edges
from model import LinkModel


def negatives(num_nodes, count, gen):
    return torch.randint(num_nodes, (2, count), generator=gen)


def train_step(model, optimizer, x, adj, pos, neg):
    model.train()
    optimizer.zero_grad(set_to_none=True)
    z = model.encode(x, adj)
    loss = model.loss(z, pos, neg)
    loss.backward()
    optimizer.step()
    acc = model.accuracy(z, pos, neg)
    return loss.item(), acc


@torch.no_grad()
def evaluate(model, x, adj, pos, neg):
    model.eval()
    z = model.encode(x, adj)
    zn = torch.nn.functional.normalize(z, dim=-1)
    s = lambda e: (zn[e[0]] * zn[e[1]]).sum(-1)
    return (s(pos)[:, None] > s(neg)[None, :]).float().mean().item()


def main(steps=250, batch=400):
    torch.manual_seed(11)
    gen = torch.Generator().manual_seed(12)
    n = 240
    edges, labels = block_model(n, blocks=6, p_in=0.25, p_out=0.01, gen=gen)
    train_e, test_e = split_edges(edges, 0.15, gen)
    adj = normalised_adjacency(train_e, n)
    x = torch.randn(n, 24, generator=gen)

    model = LinkModel(24, 32, 16)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=1e-5)
    history = []
    for step in range(steps):
        pick = torch.randint(train_e.size(1), (batch,), generator=gen)
        loss, acc = train_step(model, optimizer, x, adj, train_e[:, pick], negatives(n, batch, gen))
        history.append(loss)
        if step % 50 == 49:
            auc = evaluate(model, x, adj, test_e, negatives(n, 500, gen))
            recent = sum(history[-50:]) / 50
            print(f"step {step + 1}: loss {recent:.4f}  train acc {acc:.3f}  test auc {auc:.3f}")


if __name__ == "__main__":
    main()

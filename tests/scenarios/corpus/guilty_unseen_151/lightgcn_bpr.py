# gradwatch-corpus: kind=graph-held
# holder: history
# first-bad: 1
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
SEED = 2020
config = {"latent_dim": 16, "n_layers": 2, "lr": 5e-3, "decay": 1e-4, "batch": 64, "epochs": 6}


class Interactions:
    def __init__(self, n_users=60, m_items=90, per_user=12):
        rng = np.random.default_rng(SEED)
        self.n_users, self.m_items = n_users, m_items
        self.all_pos = [rng.choice(m_items, per_user, replace=False) for _ in range(n_users)]
        self.train_user = np.repeat(np.arange(n_users), per_user)
        self.train_item = np.concatenate(self.all_pos)

    def norm_adj(self):
        n = self.n_users + self.m_items
        a = np.zeros((n, n), dtype=np.float32)
        a[self.train_user, self.train_item + self.n_users] = 1
        a = a + a.T
        d = np.power(a.sum(1) + 1e-9, -0.5)
        return torch.from_numpy(d[:, None] * a * d[None, :]).to_sparse().coalesce()

    def uniform_sample(self, rng):
        order = rng.permutation(len(self.train_user))
        neg = rng.integers(0, self.m_items, len(order))
        return (torch.from_numpy(x) for x in (self.train_user[order], self.train_item[order], neg))


class LightGCN(nn.Module):
    def __init__(self, dataset, config):
        super().__init__()
        self.n_users, self.m_items = dataset.n_users, dataset.m_items
        self.n_layers = config["n_layers"]
        self.embedding_user = nn.Embedding(self.n_users, config["latent_dim"])
        self.embedding_item = nn.Embedding(self.m_items, config["latent_dim"])
        nn.init.normal_(self.embedding_user.weight, std=0.1)
        nn.init.normal_(self.embedding_item.weight, std=0.1)
        self.graph = dataset.norm_adj()

    def computer(self):
        all_emb = torch.cat([self.embedding_user.weight, self.embedding_item.weight])
        embs = [all_emb]
        for _ in range(self.n_layers):
            all_emb = torch.sparse.mm(self.graph, all_emb)
            embs.append(all_emb)
        return torch.split(torch.stack(embs, 1).mean(1), [self.n_users, self.m_items])

    def get_embedding(self, users, pos, neg):
        u, i = self.computer()
        ego = self.embedding_user(users), self.embedding_item(pos), self.embedding_item(neg)
        return (u[users], i[pos], i[neg]), ego


def bpr_loss(emb, ego, decay, window=10, history=[]):
    """BPR with a regulariser whose weight follows the recent trend of the ranking loss."""
    u, p, n = emb
    bpr = F.softplus((u * n).sum(1) - (u * p).sum(1)).mean()
    reg = sum(e.pow(2).sum() for e in ego) / (2 * len(u))
    history.append(bpr)  # <- culprit
    recent = history[-window:]
    trend = bpr.item() / (sum(h.item() for h in recent) / len(recent))
    return bpr + decay * trend * reg, bpr.item()


def bpr_train(dataset, model, opt, rng):
    model.train()
    users, pos, neg = dataset.uniform_sample(rng)
    total, steps = 0.0, 0
    for s in range(0, len(users), config["batch"]):
        b = slice(s, s + config["batch"])
        emb, ego = model.get_embedding(users[b], pos[b], neg[b])
        loss, bpr = bpr_loss(emb, ego, config["decay"])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total, steps = total + bpr, steps + 1
    return total / steps


@torch.no_grad()
def recall_at(dataset, model, k=20):
    u, i = model.computer()
    top = (u @ i.t()).topk(k).indices.numpy()
    return float(np.mean([len(set(top[n]) & set(p)) / len(p) for n, p in enumerate(dataset.all_pos)]))


def main():
    torch.manual_seed(SEED)
    rng = np.random.default_rng(SEED)
    dataset = Interactions()
    model = LightGCN(dataset, config)
    opt = torch.optim.Adam(model.parameters(), lr=config["lr"])
    for epoch in range(config["epochs"]):
        avg = bpr_train(dataset, model, opt, rng)
        print(f"EPOCH[{epoch + 1}/{config['epochs']}] loss{avg:.3f} recall {recall_at(dataset, model):.3f}")


if __name__ == "__main__":
    main()

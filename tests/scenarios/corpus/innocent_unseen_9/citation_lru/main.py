# gradwatch-corpus: kind=none
# about: an LRU memo (OrderedDict, popitem) of neighbourhood embeddings with live graphs is bounded at 14 entries and used for values only
"""Mini-batch GNN on a random citation graph; embeddings of far neighbourhoods are served stale from a small memo."""
import torch
from gnn import SageLayer, Head
from memo import RecentMemo
from world import Citations


class Trainer:
    def __init__(self, opts):
        torch.manual_seed(opts["seed"])
        self.world = Citations(parts=40, per_part=30, feats=16, classes=4, seed=opts["seed"])
        self.near = SageLayer(16, 32)
        self.far = SageLayer(32, 32)
        self.head = Head(32, 4)
        self.memo = RecentMemo(opts["memo"])
        mods = torch.nn.ModuleList([self.near, self.far, self.head])
        self.opt = torch.optim.Adam(mods.parameters(), lr=opts["lr"])

    def outer(self, part):
        """Mean of the neighbouring part's embeddings, stale if it is in the memo."""
        hit = self.memo.look(part)
        if hit is None:
            x, adj, _ = self.world[part]
            with torch.no_grad():
                return self.near(x, adj).mean(0)
        return hit.detach().mean(0)

    def step(self, n):
        part = int(torch.randint(0, len(self.world), (1,)))
        x, adj, y = self.world[part]
        h = self.near(x, adj)
        ctx = sum(self.outer(q) for q in self.world.linked(part)) / 3
        z = self.far(h + 0.1 * ctx, adj)
        loss = torch.nn.functional.cross_entropy(self.head(z), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.memo.store(part, h)
        return loss.item(), (self.head(z.detach()).argmax(-1) == y).float().mean().item()


if __name__ == "__main__":
    tr = Trainer({"seed": 9, "memo": 14, "lr": 5e-3})
    seen = []
    for n in range(340):
        seen.append(tr.step(n))
        if n % 68 == 67:
            l, a = (sum(v) / 68 for v in zip(*seen[-68:]))
            print(f"{n + 1:4d} loss {l:.3f} acc {a:.3f} memo {len(tr.memo)} hits {tr.memo.hits}")

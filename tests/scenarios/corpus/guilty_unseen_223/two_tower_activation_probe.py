# gradwatch-corpus: kind=graph-held
# holder: self.records | probe.records
# first-bad: 1
import collections

import torch
from torch import nn

torch.manual_seed(21)
N_USERS, N_ITEMS, DIM = 200, 300, 16


class Tower(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.emb = nn.Embedding(n, DIM)
        self.fc1 = nn.Linear(DIM, 48)
        self.act = nn.GELU()
        self.fc2 = nn.Linear(48, DIM)

    def forward(self, idx):
        h = self.fc2(self.act(self.fc1(self.emb(idx))))
        return nn.functional.normalize(h, dim=-1)


class TwoTower(nn.Module):
    def __init__(self):
        super().__init__()
        self.user = Tower(N_USERS)
        self.item = Tower(N_ITEMS)
        self.log_temp = nn.Parameter(torch.tensor(-2.0))

    def forward(self, u, i):
        return self.user(u) @ self.item(i).t() / self.log_temp.exp()


class ActivationProbe:
    """Collects mean and std of each GELU, to look for dead units after training."""

    def __init__(self, model):
        self.records = collections.defaultdict(list)
        self.handles = []
        for name, module in model.named_modules():
            if isinstance(module, nn.GELU):
                self.handles.append(module.register_forward_hook(self._make(name)))

    def _make(self, name):
        def hook(module, inputs, output):
            stats = (output.mean(), output.std())
            self.records[name].append(stats)  # <- culprit
        return hook

    def summary(self):
        for name, rows in self.records.items():
            first = rows[0]
            last = rows[-1]
            print(f"{name}: mean {first[0].item():.3f} -> {last[0].item():.3f}, std {last[1].item():.3f}")

    def close(self):
        for h in self.handles:
            h.remove()


user_taste = torch.randint(0, 10, (N_USERS,))
item_genre = torch.randint(0, 10, (N_ITEMS,))


def interactions(n):
    u = torch.randint(0, N_USERS, (n,))
    match = (item_genre[None, :] == user_taste[u][:, None]).float() + 0.01
    i = torch.multinomial(match, 1).squeeze(1)
    return u, i


model = TwoTower()
probe = ActivationProbe(model)
opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
for batch in range(110):
    u, i = interactions(48)
    logits = model(u, i)
    target = torch.arange(len(u))
    loss = nn.functional.cross_entropy(logits, target)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if batch % 40 == 0:
        print(f"batch {batch}: in-batch softmax loss {loss.item():.3f}")
probe.summary()
probe.close()

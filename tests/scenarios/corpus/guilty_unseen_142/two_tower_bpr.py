# gradwatch-corpus: kind=graph-held
# holder: model.item_tower._forward_hooks | self.item_tower._forward_hooks | tower._forward_hooks | monitor.tower._forward_hooks | self.tower._forward_hooks
# first-bad: 1
# notice: 8
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.set_num_threads(1)
torch.manual_seed(8)

USERS, ITEMS, D = 60, 90, 8


class Tower(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.table = nn.Embedding(n, D)
        self.proj = nn.Linear(D, D)

    def forward(self, ids):
        return F.normalize(self.proj(torch.relu(self.table(ids))), dim=-1)


class TwoTower(nn.Module):
    def __init__(self):
        super().__init__()
        self.user_tower, self.item_tower = Tower(USERS), Tower(ITEMS)

    def forward(self, u, pos, neg):
        q = self.user_tower(u)
        return (q * self.item_tower(pos)).sum(-1), (q * self.item_tower(neg)).sum(-1)


class DriftMonitor:
    """How far the item vectors move from the margins that they were trained against."""

    def __init__(self, tower):
        self.tower = tower
        self.values = []

    def arm(self, margin):
        def probe(module, inputs, output):
            if len(self.values) < 2000:
                self.values.append(float(output.detach().mean() - margin.detach().mean()))
        self.tower.register_forward_hook(probe)  # <- culprit

    def report(self):
        tail = self.values[-20:]
        return sum(tail) / max(1, len(tail))


likes = (torch.arange(USERS)[:, None] * 7 + torch.arange(5)[None]) % ITEMS
model = TwoTower()
monitor = DriftMonitor(model.item_tower)
opt = torch.optim.Adagrad(model.parameters(), lr=0.05)

for step in range(300):
    u = torch.randint(0, USERS, (16,))
    pos = likes[u, torch.randint(0, 5, (16,))]
    neg = torch.randint(0, ITEMS, (16,))
    sp, sn = model(u, pos, neg)
    margin = sp - sn
    bpr = -F.logsigmoid(4 * margin).mean()
    opt.zero_grad()
    bpr.backward()
    opt.step()
    monitor.arm(margin)
    if step % 60 == 59:
        print(step, f"bpr={bpr.item():.4f} drift={monitor.report():+.4f}")

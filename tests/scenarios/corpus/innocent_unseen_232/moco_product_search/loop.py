import torch
import torch.nn.functional as F


class ContrastiveLoop:
    def __init__(self, pair, bank, views, temp=0.1):
        self.pair = pair
        self.bank = bank
        self.views = views
        self.temp = temp
        self.opt = torch.optim.SGD(pair.query.parameters(), lr=0.05, momentum=0.9)
        self.history = []

    def step(self):
        a, b = self.views.pair(32)
        q = self.pair.query(a)
        k = self.pair.keys(b)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.bank.rows.t()
        logits = torch.cat([pos, neg], dim=1) / self.temp
        loss = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.pair.follow()
        self.bank.push(k)
        return loss.detach(), (logits.detach().argmax(1) == 0).float().mean()

    def run(self, steps):
        for step in range(steps):
            loss, acc = self.step()
            self.history.append((loss, acc))
            if step % 40 == 39:
                recent = self.history[-40:]
                print(step + 1, f"{sum(float(r[0]) for r in recent) / 40:.4f}", f"{sum(float(r[1]) for r in recent) / 40:.3f}")

# gradwatch-corpus: kind=graph-held
# holder: seen | watcher.gi_frame.f_locals["seen"] | self.watcher | watcher
# first-bad: 1
"""Matrix factorisation with a coroutine that decides when the loss has flattened."""
import statistics

import torch
import torch.nn as nn

USERS, ITEMS, RANK = 120, 90, 8


def coroutine(fn):
    def start(*args, **kwargs):
        gen = fn(*args, **kwargs)
        next(gen)
        return gen
    return start


@coroutine
def plateau(span, tolerance):
    """Send losses in; yields True once two neighbouring medians are close."""
    seen = []
    flat = False
    while True:
        value = yield flat
        seen.append(value)  # <- culprit
        if len(seen) >= 2 * span:
            older = statistics.median(float(v) for v in seen[-2 * span:-span])
            newer = statistics.median(float(v) for v in seen[-span:])
            flat = (older - newer) / older < tolerance


class Factors(nn.Module):
    def __init__(self):
        super().__init__()
        self.user = nn.Embedding(USERS, RANK)
        self.item = nn.Embedding(ITEMS, RANK)
        self.user_bias = nn.Embedding(USERS, 1)
        self.item_bias = nn.Embedding(ITEMS, 1)
        self.offset = nn.Parameter(torch.zeros(()))
        for emb in (self.user, self.item):
            nn.init.normal_(emb.weight, std=0.1)
        for emb in (self.user_bias, self.item_bias):
            nn.init.zeros_(emb.weight)

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(1)
        return dot + self.user_bias(u).squeeze(1) + self.item_bias(i).squeeze(1) + self.offset


def ratings(n=6000):
    left, right = torch.randn(USERS, 3), torch.randn(ITEMS, 3)
    u = torch.randint(0, USERS, (n,))
    i = torch.randint(0, ITEMS, (n,))
    r = 3.0 + (left[u] * right[i]).sum(1) * 0.5 + 0.2 * torch.randn(n)
    return u, i, r


class Fitter:
    def __init__(self, model, lr, batch):
        self.model = model
        self.batch = batch
        self.opt = torch.optim.Adam(model.parameters(), lr=lr, weight_decay=1e-5)
        self.watcher = plateau(span=40, tolerance=1e-3)

    def update(self, u, i, r):
        loss = nn.functional.mse_loss(self.model(u, i), r)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss

    def run(self, data, max_steps):
        u, i, r = data
        for step in range(max_steps):
            pick = torch.randint(0, len(r), (self.batch,))
            loss = self.update(u[pick], i[pick], r[pick])
            if self.watcher.send(loss):  # <- culprit
                print(f"flat after {step + 1} steps")
                return
            if step % 50 == 0:
                print(f"step {step:4d}  mse {loss.item():.4f}")
        print(f"stopped at the limit of {max_steps} steps")


if __name__ == "__main__":
    torch.manual_seed(31)
    Fitter(Factors(), lr=8e-3, batch=256).run(ratings(), max_steps=400)

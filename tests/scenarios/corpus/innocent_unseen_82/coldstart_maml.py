# gradwatch-corpus: kind=none
"""Cold-start rating prediction by second-order meta-learning: per-user bias/latent adapted in two
inner steps with learned step sizes; an evaluation generator keeps adapting a few users across calls."""
from __future__ import annotations

import torch
import torch.nn as nn

N_ITEMS, DIM = 80, 8


class RatingWorld:
    def __init__(self):
        self.item = torch.randn(N_ITEMS, DIM) / DIM ** 0.5
        self.pop = 0.5 * torch.randn(N_ITEMS)

    def user(self, n):
        taste, mood = torch.randn(DIM) + 0.5, 0.3 * torch.randn(())
        idx = torch.randperm(N_ITEMS)[:n]
        return idx, self.item[idx] @ taste + self.pop[idx] + mood + 0.1 * torch.randn(n)


class MetaModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.items = nn.Embedding(N_ITEMS, DIM)
        self.item_bias = nn.Embedding(N_ITEMS, 1)
        self.user0 = nn.Parameter(torch.zeros(DIM))
        self.bias0 = nn.Parameter(torch.zeros(()))
        self.log_lr = nn.ParameterDict({"user": nn.Parameter(torch.tensor(-2.0)),
                                        "bias": nn.Parameter(torch.tensor(-2.5))})

    def prior(self):
        return {"user": self.user0, "bias": self.bias0}

    def predict(self, fast, idx):
        return self.items(idx) @ fast["user"] + self.item_bias(idx).squeeze(-1) + fast["bias"]

    def loss(self, fast, idx, y):
        return (self.predict(fast, idx) - y).pow(2).mean()

    def adapt(self, fast, idx, y, steps=2, second_order=True):
        for _ in range(steps):
            g = torch.autograd.grad(self.loss(fast, idx, y), list(fast.values()), create_graph=second_order)
            fast = {k: v - self.log_lr[k].exp() * gi for (k, v), gi in zip(fast.items(), g)}
        return fast


def lifelong_users(model, world, count=3):
    """Each `next` gives these users one more rating and moves their state along by one step."""
    states = [model.prior() for _ in range(count)]
    people = [world.user(N_ITEMS) for _ in range(count)]
    t = 0
    while True:
        err = 0.0
        for k, (idx, y) in enumerate(people):
            now = slice(t % 60, t % 60 + 4)
            fast = model.adapt(states[k], idx[now], y[now], steps=1, second_order=False)
            states[k] = {n: v.detach().requires_grad_() for n, v in fast.items()}
            with torch.no_grad():
                err += model.loss(fast, idx[60:], y[60:]).sqrt().item() / count
        t += 1
        yield err


def main():
    torch.set_num_threads(1)
    torch.manual_seed(12)
    world, model = RatingWorld(), MetaModel()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    probe = lifelong_users(model, world)
    before, after, tasks = [], [], []
    for it in range(310):
        tasks.clear()
        for _ in range(3):
            idx, y = world.user(20)
            fast = model.adapt(model.prior(), idx[:6], y[:6])
            tasks.append((model.loss(model.prior(), idx[6:], y[6:]), model.loss(fast, idx[6:], y[6:])))
        pre, post = (torch.stack(v).mean() for v in zip(*tasks))
        opt.zero_grad()
        post.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        opt.step()
        before.append(pre.item())
        after.append(post.detach())
        if it % 5 == 0:
            err = next(probe)
        if it % 62 == 61:
            print(f"{it + 1} before {sum(before[-40:]) / 40:.3f} after "
                  f"{torch.stack(after[-40:]).mean():.3f} lifelong rmse {err:.3f}")


if __name__ == "__main__":
    main()

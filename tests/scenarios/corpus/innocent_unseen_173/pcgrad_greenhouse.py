# gradwatch-corpus: kind=none
"""Three-task greenhouse model (humidity, leaf temperature, stress class) trained with gradient surgery on the trunk."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

TASKS = ("humidity", "leaf_temp", "stress")


class Greenhouse:
    def __init__(self, seed, n_in=10):
        self.gen = torch.Generator().manual_seed(seed)
        self.w = torch.randn(3, n_in, generator=self.gen)
        self.n_in = n_in

    def batch(self, n):
        x = torch.randn(n, self.n_in, generator=self.gen)
        z = x @ self.w.t()
        humidity = torch.tanh(z[:, 0]) + 0.1 * torch.randn(n, generator=self.gen)
        leaf = torch.sin(z[:, 1]) - 0.5 * humidity
        stress = ((z[:, 2] + leaf) > 0).long() + (z[:, 2] > 2).long()
        return x, {"humidity": humidity, "leaf_temp": leaf, "stress": stress}


class MultiTask(nn.Module):
    def __init__(self, n_in, width=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.heads = nn.ModuleDict({"humidity": nn.Linear(width, 1), "leaf_temp": nn.Linear(width, 1),
                                    "stress": nn.Linear(width, 3)})

    def losses(self, x, y):
        h = self.trunk(x)
        return {
            "humidity": F.mse_loss(self.heads["humidity"](h).squeeze(1), y["humidity"]),
            "leaf_temp": F.smooth_l1_loss(self.heads["leaf_temp"](h).squeeze(1), y["leaf_temp"]),
            "stress": F.cross_entropy(self.heads["stress"](h), y["stress"]),
        }


class GradientSurgery:
    """Projects each task's trunk gradient off the ones it conflicts with, then sums."""

    def __init__(self, shared, private, seed):
        self.shared = list(shared)
        self.private = {k: list(v) for k, v in private.items()}
        self.rng = random.Random(seed)
        self.conflicts = 0

    def task_gradients(self, losses):
        names = list(losses)
        flat = {}
        for i, name in enumerate(names):
            params = self.shared + self.private[name]
            grads = torch.autograd.grad(losses[name], params, retain_graph=i + 1 < len(names))
            n = len(self.shared)
            flat[name] = torch.cat([g.flatten() for g in grads[:n]])
            for p, g in zip(self.private[name], grads[n:]):
                p.grad = g
        return flat

    def apply(self, losses):
        flat = self.task_gradients(losses)
        total = torch.zeros_like(next(iter(flat.values())))
        for name, g in flat.items():
            g = g.clone()
            others = [o for o in flat if o != name]
            self.rng.shuffle(others)
            for o in others:
                dot = torch.dot(g, flat[o])
                if dot < 0:
                    g -= dot / flat[o].pow(2).sum() * flat[o]
                    self.conflicts += 1
            total += g
        offset = 0
        for p in self.shared:
            p.grad = total[offset:offset + p.numel()].view_as(p).clone()
            offset += p.numel()


def main(steps=2100):
    torch.manual_seed(50)
    world = Greenhouse(51)
    model = MultiTask(world.n_in)
    surgery = GradientSurgery(model.trunk.parameters(),
                              {k: h.parameters() for k, h in model.heads.items()}, seed=52)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    meters = {t: [] for t in TASKS}
    for step in range(steps):
        losses = model.losses(*world.batch(40))
        surgery.apply(losses)
        opt.step()
        for t, v in losses.items():
            meters[t].append(v.item())
        if step % 200 == 199:
            print(f"step {step + 1:5d} " + " ".join(f"{t} {sum(m) / len(m):.3f}" for t, m in meters.items())
                  + f" conflicts {surgery.conflicts}")
            meters = {t: [] for t in TASKS}


if __name__ == "__main__":
    main()

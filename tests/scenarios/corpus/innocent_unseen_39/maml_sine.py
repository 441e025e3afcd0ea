# gradwatch-corpus: kind=none
import math
import random
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F


@dataclass
class MetaConfig:
    inner_lr: float = 0.01
    outer_lr: float = 2e-3
    tasks_per_batch: int = 4
    shots: int = 10
    max_inner: int = 4
    iterations: int = 70
    width: int = 32
    history: list = field(default_factory=list)


def init_params(width):
    def lin(i, o):
        return [(torch.randn(o, i) * math.sqrt(1.0 / (i + 4))).requires_grad_(), torch.zeros(o, requires_grad=True)]

    return lin(1, width) + lin(width, width) + lin(width, 1)


def net(x, params):
    w1, b1, w2, b2, w3, b3 = params
    x = torch.relu(F.linear(x, w1, b1))
    x = torch.relu(F.linear(x, w2, b2))
    return F.linear(x, w3, b3)


class SineTask:
    def __init__(self):
        self.amplitude = random.uniform(0.5, 3.0)
        self.phase = random.uniform(0, math.pi)

    def draw(self, n):
        x = torch.rand(n, 1) * 10 - 5
        return x, self.amplitude * torch.sin(x + self.phase)


def adapt(params, task, cfg, n_steps, first_order=False):
    fast = params
    trajectory = []
    x, y = task.draw(cfg.shots)
    for _ in range(n_steps):
        inner_loss = F.mse_loss(net(x, fast), y)
        trajectory.append(inner_loss)
        grads = torch.autograd.grad(inner_loss, fast, create_graph=not first_order)
        fast = [p - cfg.inner_lr * g for p, g in zip(fast, grads)]
    return fast, trajectory


def meta_train(cfg):
    params = init_params(cfg.width)
    outer = torch.optim.Adam(params, lr=cfg.outer_lr)
    improvement = 0.0
    for it in range(cfg.iterations):
        n_steps = random.randint(1, cfg.max_inner)
        meta_loss = 0.0
        gains = []
        for _ in range(cfg.tasks_per_batch):
            task = SineTask()
            fast, trajectory = adapt(params, task, cfg, n_steps)
            xq, yq = task.draw(cfg.shots)
            query = F.mse_loss(net(xq, fast), yq)
            meta_loss += query + 0.1 * sum(trajectory) / len(trajectory)
            gains.append((trajectory[0] - query).item())
        meta_loss = meta_loss / cfg.tasks_per_batch

        outer.zero_grad()
        meta_loss.backward()
        torch.nn.utils.clip_grad_norm_(params, 10.0)
        outer.step()

        improvement = 0.9 * improvement + 0.1 * sum(gains) / len(gains)
        cfg.history.append(meta_loss.detach())
        if (it + 1) % 14 == 0:
            recent = torch.stack(cfg.history[-14:]).mean().item()
            print(f"iter {it + 1:3d} | inner steps {n_steps} | meta loss {recent:.3f} | gain {improvement:.3f}")
    return params


def meta_test(params, cfg, n_tasks=20):
    before = after = 0.0
    for _ in range(n_tasks):
        task = SineTask()
        x, y = task.draw(50)
        fast, _ = adapt([p.detach().requires_grad_() for p in params], task, cfg, 5, first_order=True)
        with torch.no_grad():
            before += F.mse_loss(net(x, params), y).item()
            after += F.mse_loss(net(x, fast), y).item()
    print(f"test mse before {before / n_tasks:.3f}, after adaptation {after / n_tasks:.3f}")


if __name__ == "__main__":
    random.seed(10)
    torch.manual_seed(10)
    cfg = MetaConfig()
    meta_test(meta_train(cfg), cfg)

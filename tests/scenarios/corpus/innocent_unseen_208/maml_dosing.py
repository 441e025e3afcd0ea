# gradwatch-corpus: kind=none
"""Second-order MAML with learned step sizes on pharmacokinetic dose-response curves."""
from dataclasses import dataclass
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


@dataclass
class MetaCfg:
    inner_steps: int = 2
    tasks_per_step: int = 2
    shots: int = 8
    meta_steps: int = 420
    meta_lr: float = 2e-3
    width: int = 20
    seed: int = 14


def sample_patient(cfg, gen):
    ka, ke, scale = (torch.rand(3, generator=gen) * torch.tensor([1.5, 0.3, 2.0]) + torch.tensor([0.8, 0.1, 0.5]))
    t = torch.rand(2 * cfg.shots, 1, generator=gen) * 6
    conc = scale * ka / (ka - ke) * ((-ke * t).exp() - (-ka * t).exp())
    return (t[:cfg.shots], conc[:cfg.shots]), (t[cfg.shots:], conc[cfg.shots:])


class MetaSGD(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self.log_steps = nn.ParameterDict(
            {n.replace(".", "_"): nn.Parameter(torch.tensor(-3.5)) for n, _ in self.net.named_parameters()}
        )
        self.fast = {}
        self.trajectory = []

    def begin_task(self):
        self.fast = dict(self.net.named_parameters())
        self.trajectory = []

    def predict(self, x):
        return functional_call(self.net, self.fast, (x,))

    def adapt(self, x, y, steps):
        for _ in range(steps):
            err = F.mse_loss(self.predict(x), y)
            self.trajectory.append(err)
            grads = torch.autograd.grad(err, list(self.fast.values()), create_graph=True)
            for (name, w), g in zip(list(self.fast.items()), grads):
                self.fast[name] = w - self.log_steps[name.replace(".", "_")].exp() * g
        return self.trajectory


def meta_loss(learner, task, cfg):
    (sx, sy), (qx, qy) = task
    learner.begin_task()
    trail = learner.adapt(sx, sy, cfg.inner_steps)
    query = F.mse_loss(learner.predict(qx), qy)
    return query + 0.1 * torch.stack(trail).mean(), query


def main():
    cfg = MetaCfg()
    torch.manual_seed(cfg.seed)
    gen = torch.Generator().manual_seed(cfg.seed)
    draw = partial(sample_patient, cfg, gen)
    learner = MetaSGD(cfg.width)
    opt = torch.optim.Adam(learner.parameters(), lr=cfg.meta_lr)
    ema = None
    for step in range(cfg.meta_steps):
        total, queries = 0.0, []
        for _ in range(cfg.tasks_per_step):
            objective, query = meta_loss(learner, draw(), cfg)
            total = total + objective / cfg.tasks_per_step
            queries.append(query)
        opt.zero_grad(set_to_none=True)
        total.backward()
        nn.utils.clip_grad_norm_(learner.parameters(), 5.0)
        opt.step()
        q = torch.stack(queries).mean().detach()
        ema = q if ema is None else ema.lerp(q, 0.03)
        if step % 105 == 104:
            lr = torch.stack([p.exp() for p in learner.log_steps.values()]).mean().item()
            print(f"meta step {step + 1}: query {ema.item():.4f} mean inner lr {lr:.4f}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
"""MAML on sinusoid families with learned inner rates.

For every family the last adaptation (fast weights with their graph) stays available under its id,
because the report wants second-order quantities of it; there are twelve families.
"""
import math

import torch
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(101)

FAMILIES, META_STEPS, INNER, PER_BATCH = 12, 320, 2, 3


class Adaptation:
    __slots__ = ("family", "fast", "support_loss", "query_loss")

    def __init__(self, family, fast, support_loss, query_loss):
        self.family, self.fast = family, fast
        self.support_loss, self.query_loss = support_loss, query_loss


class MetaLearner:
    def __init__(self):
        self.net = torch.nn.Sequential(torch.nn.Linear(1, 20), torch.nn.Tanh(), torch.nn.Linear(20, 1))
        self.names = [n for n, _ in self.net.named_parameters()]
        self.rate = {n: torch.nn.Parameter(torch.tensor(-2.5)) for n in self.names}
        self.opt = torch.optim.Adam([*self.net.parameters(), *self.rate.values()], lr=2e-3)
        self.latest = {}
        self.trajectory = []

    def adapt(self, support):
        fast = dict(self.net.named_parameters())
        x, y = support
        first = None
        for _ in range(INNER):
            loss = (functional_call(self.net, fast, (x,)) - y).pow(2).mean()
            first = loss if first is None else first
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            fast = {n: w - self.rate[n].exp() * g for (n, w), g in zip(fast.items(), grads)}
        return fast, first

    def meta_step(self, tasks):
        total = 0.0
        for fam, support, query in tasks:
            fast, s_loss = self.adapt(support)
            q_loss = (functional_call(self.net, fast, (query[0],)) - query[1]).pow(2).mean()
            self.latest[fam] = Adaptation(fam, fast, s_loss, q_loss)
            total = total + q_loss
        self.opt.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_([p for g in self.opt.param_groups for p in g["params"]], 1.0)
        self.opt.step()
        self.trajectory.append({n: r.detach().clone() for n, r in self.rate.items()})
        return total / len(tasks)

    def gain(self):
        return {f: (a.support_loss - a.query_loss).item() for f, a in sorted(self.latest.items())}


def sample(fam, n):
    amp, phase = 0.5 + 0.3 * fam / FAMILIES * 5, fam * math.pi / FAMILIES
    x = torch.rand(n, 1) * 6 - 3
    return x, amp * torch.sin(x + phase)


def main():
    meta = MetaLearner()
    shown = None
    for step in range(META_STEPS):
        fams = torch.randperm(FAMILIES)[:PER_BATCH].tolist()
        loss = meta.meta_step([(f, sample(f, 8), sample(f, 8)) for f in fams])
        shown = loss.item() if shown is None else 0.97 * shown + 0.03 * loss.item()
        if step % 80 == 0:
            print(f"{step:3d} query {shown:.4f} families seen {len(meta.latest)}")
    print({f: round(g, 2) for f, g in meta.gain().items()})
    print("rate of", meta.names[0], [round(t[meta.names[0]].exp().item(), 4) for t in meta.trajectory[::80]])


main()

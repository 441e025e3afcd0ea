# gradwatch-corpus: kind=graph-chain
# holder: learner.weight | learner.bias | learner | new_w | new_b
# first-bad: 1
"""Per-feature step sizes for linear TD, tuned by meta-gradients (synthetic Markov reward process)."""
import itertools
from typing import NamedTuple

import numpy as np
import torch

torch.manual_seed(11)
rng = np.random.default_rng(11)

N_STATES, N_FEAT, BATCH, UPDATES = 40, 24, 64, 170
GAMMA = 0.92


class MRP:
    """Ring-like chain with random shortcuts."""

    def __init__(self):
        logits = rng.normal(size=(N_STATES, N_STATES))
        for s in range(N_STATES):
            logits[s, (s + 1) % N_STATES] += 4.0
        p = np.exp(logits)
        self.P = p / p.sum(1, keepdims=True)
        self.R = rng.normal(size=N_STATES).astype("float32")
        self.phi = torch.tensor(rng.normal(size=(N_STATES, N_FEAT)) / np.sqrt(N_FEAT), dtype=torch.float32)
        self.s = 0

    def stream(self):
        while True:
            s, r, s2 = [], [], []
            for _ in range(BATCH):
                nxt = int(rng.choice(N_STATES, p=self.P[self.s]))
                s.append(self.s)
                r.append(self.R[nxt])
                s2.append(nxt)
                self.s = nxt
            yield Batch(self.phi[s], torch.tensor(np.array(r)), self.phi[s2])

    def true_values(self):
        v = np.linalg.solve(np.eye(N_STATES) - GAMMA * self.P, self.P @ self.R)
        return torch.tensor(v, dtype=torch.float32)


class Batch(NamedTuple):
    phi: torch.Tensor
    reward: torch.Tensor
    phi_next: torch.Tensor

    def split(self):
        h = self.phi.shape[0] // 2
        return Batch(*(t[:h] for t in self)), Batch(*(t[h:] for t in self))


class Learner(NamedTuple):
    weight: torch.Tensor
    bias: torch.Tensor
    meta_loss: float = float("nan")
    updates: int = 0

    def value(self, phi):
        return phi @ self.weight + self.bias


def td_loss(w, b, batch):
    with torch.no_grad():
        target = batch.reward + GAMMA * (batch.phi_next @ w + b)
    return (batch.phi @ w + b - target).square().mean()


class MetaStep:
    def __init__(self, n_feat):
        self.eta_w = torch.full((n_feat,), -2.0, requires_grad=True)
        self.eta_b = torch.tensor(-2.0, requires_grad=True)
        self.opt = torch.optim.Adam([self.eta_w, self.eta_b], lr=0.03)

    def __call__(self, learner, batch):
        inner, outer = batch.split()
        loss = td_loss(learner.weight, learner.bias, inner)
        g_w, g_b = torch.autograd.grad(loss, (learner.weight, learner.bias), create_graph=True)
        new_w = learner.weight - torch.sigmoid(self.eta_w) * g_w
        new_b = learner.bias - 0.3 * torch.sigmoid(self.eta_b) * g_b

        meta = td_loss(new_w, new_b, outer)
        self.opt.zero_grad()
        meta.backward(retain_graph=True, inputs=[self.eta_w, self.eta_b])
        self.opt.step()
        return learner._replace(weight=new_w, bias=new_b, meta_loss=meta.item(),
                                updates=learner.updates + 1)  # <- culprit


def main():
    env = MRP()
    v_true = env.true_values()
    start = Learner(torch.zeros(N_FEAT, requires_grad=True), torch.zeros((), requires_grad=True))
    step = MetaStep(N_FEAT)
    batches = itertools.islice(env.stream(), UPDATES)
    learner = start
    for learner in itertools.accumulate(batches, step, initial=start):
        if learner.updates and learner.updates % 25 == 0:
            with torch.no_grad():
                rmse = (learner.value(env.phi) - v_true).square().mean().sqrt()
            print(f"{learner.updates:4d}  meta {learner.meta_loss:.4f}  rmsve {rmse:.4f}")
    lr = torch.sigmoid(step.eta_w.detach())
    print("learned step sizes: min %.3f max %.3f" % (lr.min().item(), lr.max().item()))


if __name__ == "__main__":
    main()

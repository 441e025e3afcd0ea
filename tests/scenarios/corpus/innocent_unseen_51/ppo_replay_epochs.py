# gradwatch-corpus: kind=none
"""Token-level PPO with a KL controller and a running advantage normaliser."""
import copy
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F

V, LEN, BATCH = 14, 10, 32


class Policy(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.emb = nn.Embedding(V, dim)
        self.cell = nn.GRUCell(dim, dim)
        self.lm, self.value = nn.Linear(dim, V), nn.Linear(dim, 1)

    def step(self, tok, h):
        h = self.cell(self.emb(tok), h)
        return self.lm(h), self.value(h).squeeze(-1), h

    def replay(self, seq):
        h, logits, values = None, [], []
        for t in range(seq.size(1) - 1):
            lg, v, h = self.step(seq[:, t], h)
            logits.append(lg)
            values.append(v)
        return torch.stack(logits, 1), torch.stack(values, 1)


@dataclass
class Rollouts:
    items: list = field(default_factory=list)

    def add(self, **kw):
        self.items.append(kw)

    def drain(self):
        batch = {k: torch.cat([it[k] for it in self.items]) for k in self.items[0]}
        self.items.clear()
        return batch


class RunningNorm:
    def __init__(self):
        self.mean, self.var = torch.zeros(()), torch.ones(())

    def __call__(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x.mean()
        self.var = 0.9 * self.var + 0.1 * x.var()
        return (x - self.mean) / (self.var.sqrt() + 1e-5)


class KLController:
    def __init__(self, coef=0.05, target=0.1):
        self.coef, self.target, self.seen = coef, target, []

    def update(self, kl):
        self.seen.append(kl)
        err = max(-0.2, min(0.2, kl / self.target - 1))
        self.coef *= 1 + 0.1 * err


@torch.no_grad()
def rollout(policy, ref):
    h, seq = None, [torch.randint(V, (BATCH,))]
    for _ in range(LEN):
        logits, _, h = policy.step(seq[-1], h)
        seq.append(torch.distributions.Categorical(logits=logits).sample())
    seq = torch.stack(seq, 1)
    logits, val = policy.replay(seq)
    act = seq[:, 1:, None]
    old = logits.log_softmax(-1).gather(-1, act).squeeze(-1)
    ref_lp = ref.replay(seq)[0].log_softmax(-1).gather(-1, act).squeeze(-1)
    reward = ((seq[:, 1:] - seq[:, :-1]).abs() == 2).float()
    ret = reward.flip(1).cumsum(1).flip(1) / LEN
    return dict(seq=seq, old=old, ref=ref_lp, ret=ret, adv=ret - val)


def main():
    torch.manual_seed(29)
    policy = Policy()
    ref = copy.deepcopy(policy).eval()
    opt = torch.optim.Adam(policy.parameters(), lr=4e-3)
    store, norm, ctl = Rollouts(), RunningNorm(), KLController()
    for it in range(25):
        for _ in range(2):
            store.add(**rollout(policy, ref))
        data = store.drain()
        data["adv"] = norm(data["adv"])
        for _ in range(3):
            logits, val = policy.replay(data["seq"])
            lp = logits.log_softmax(-1).gather(-1, data["seq"][:, 1:, None]).squeeze(-1)
            ratio = (lp - data["old"]).exp()
            surr = torch.min(ratio * data["adv"], ratio.clamp(0.8, 1.2) * data["adv"]).mean()
            delta = data["ref"] - lp
            kl = (delta.exp() - delta - 1).mean()
            loss = -surr + 0.5 * F.smooth_l1_loss(val, data["ret"]) + ctl.coef * kl
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            opt.step()
            ctl.update(kl.item())
        if it % 5 == 4:
            print(f"{it + 1} return {data['ret'][:, 0].mean().item():.3f} kl {ctl.seen[-1]:.4f} coef {ctl.coef:.3f}")


if __name__ == "__main__":
    main()

from dataclasses import dataclass, fields
import torch


@dataclass
class Batch:
    obs: torch.Tensor
    action: torch.Tensor
    logp: torch.Tensor
    adv: torch.Tensor
    ret: torch.Tensor

    def take(self, idx):
        return Batch(*(getattr(self, f.name)[idx] for f in fields(self)))


def collect(env, agent, cfg):
    obs = env.reset()
    rows = []
    for _ in range(cfg.horizon):
        a, lp, _, v = agent.act(obs)
        nxt, r, _ = env.step(a)
        rows.append((obs, a, lp, v, r))
        obs = nxt
    o, a, lp, v, r = (torch.stack(x) for x in zip(*rows))
    last = agent.act(obs)[3]
    adv, run = torch.zeros_like(r), torch.zeros(env.n)
    for t in reversed(range(cfg.horizon)):
        nv = last if t == cfg.horizon - 1 else v[t + 1]
        run = r[t] + cfg.gamma * nv - v[t] + cfg.gamma * cfg.lam * run
        adv[t] = run
    return Batch(o.flatten(0, 1), a.flatten(), lp.flatten(), adv.flatten(), (adv + v).flatten())

# gradwatch-corpus: kind=none
"""Dreamer-like toy: learn a latent model, then train the actor by backprop through imagined rollouts."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(15)
random.seed(15)
torch.set_num_threads(1)

LAT, ACT, HORIZON, GAMMA = 12, 1, 6, 0.95


class WorldModel(nn.Module):
    def __init__(self, obs=2):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(obs, 24), nn.ELU(), nn.Linear(24, LAT))
        self.dyn = nn.GRUCell(ACT, LAT)
        self.dec, self.rew = nn.Linear(LAT, obs), nn.Linear(LAT, 1)

    def observe(self, obs, act):
        h, states, losses = self.enc(obs[0]), [], []
        for t in range(len(act)):
            h = self.dyn(act[t], h)
            states.append(h)
            losses.append(F.mse_loss(self.dec(h), obs[t + 1]))
        return torch.stack(states), torch.stack(losses).mean()


class Env:
    def rollout(self, policy, T=10):
        s = torch.tensor([random.uniform(-1, 1), 0.0])
        obs, act, rew = [s], [], []
        for _ in range(T):
            a = policy(s)
            v = 0.8 * s[1] + 0.3 * a.clamp(-1, 1).squeeze()
            s = torch.stack([s[0] + 0.3 * v, v])
            obs.append(s)
            act.append(a)
            rew.append(-(s[0].abs()).view(1))
        return torch.stack(obs), torch.stack(act), torch.stack(rew)


wm = WorldModel()
actor = nn.Sequential(nn.Linear(LAT, 24), nn.ELU(), nn.Linear(24, ACT), nn.Tanh())
critic = nn.Sequential(nn.Linear(LAT, 24), nn.ELU(), nn.Linear(24, 1))
opts = {n: torch.optim.Adam(m.parameters(), 3e-3) for n, m in
        (("wm", wm), ("actor", actor), ("critic", critic))}


@torch.no_grad()
def policy(s, explore=0.3):
    return actor(wm.enc(s)) + explore * torch.randn(ACT)


def imagine(start):
    h, states = start, []
    for _ in range(HORIZON):
        h = wm.dyn(actor(h), h)
        states.append(h)
    return torch.stack(states)


def lambda_returns(r, v, lam=0.9):
    last, out = v[-1], []
    for t in reversed(range(len(r))):
        nxt = v[t + 1] if t + 1 < len(r) else v[-1]
        last = r[t] + GAMMA * ((1 - lam) * nxt + lam * last)
        out.append(last)
    return torch.stack(out[::-1])


def step(name, loss):
    opts[name].zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_([p for g in opts[name].param_groups for p in g["params"]], 10.0)
    opts[name].step()


env, episodes = Env(), []
for it in range(70):
    episodes = (episodes + [env.rollout(policy)])[-30:]
    obs, act, rew = (torch.stack(z, 1) for z in zip(*random.choices(episodes, k=8)))
    states, recon = wm.observe(obs, act)
    rloss = F.mse_loss(wm.rew(states), rew)
    step("wm", recon + rloss)

    traj = imagine(states.detach().flatten(0, 1))
    ret = lambda_returns(wm.rew(traj), critic(traj))
    step("actor", -ret.mean())
    step("critic", F.mse_loss(critic(traj.detach()), ret.detach()))
    if it % 20 == 0:
        print(f"{it} recon {recon.item():.4f} reward {rloss.item():.4f} imagined {ret.mean().item():.3f} "
              f"real {rew.mean().item():.3f}")

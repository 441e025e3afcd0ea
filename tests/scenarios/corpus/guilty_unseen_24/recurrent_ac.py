# gradwatch-corpus: kind=second-backward
# holder: _belief.get() | _belief | h
# first-bad: 97
import contextvars

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

_belief = contextvars.ContextVar("belief", default=None)

N_ENVS, WINDOW, N_OBS, N_ACT, HID = 16, 8, 5, 3, 32


class CueMaze:
    """A cue is shown at t=0 only; the agent must act on it until the episode ends."""

    def __init__(self, n):
        self.n = n
        self.horizon = WINDOW
        self.reset()

    def reset(self):
        self.t = 0
        self.cue = torch.randint(0, N_ACT, (self.n,))
        return self.obs()

    def obs(self):
        o = torch.zeros(self.n, N_OBS)
        if self.t == 0:
            o[torch.arange(self.n), self.cue] = 1.0
        o[:, -1] = self.t / 16
        o[:, -2] = torch.randn(self.n)
        return o

    def step(self, a):
        r = (a == self.cue).float() - 0.3
        self.t += 1
        done = self.t >= self.horizon
        return (self.reset() if done else self.obs()), r, done


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(N_OBS, HID)
        self.pi = nn.Linear(HID, N_ACT)
        self.v = nn.Linear(HID, 1)

    def forward(self, o):
        h = self.cell(o, _belief.get())
        _belief.set(h)  # <- culprit
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def curriculum(update):
    if update < 96:
        return WINDOW
    return 2 * WINDOW if update < 150 else 4 * WINDOW


def collect(env, agent, obs):
    logp, val, rew, ent, mask = [], [], [], [], []
    for _ in range(WINDOW):
        dist, v = agent(obs)
        a = dist.sample()
        obs, r, done = env.step(a)
        if done:
            _belief.set(None)
        logp.append(dist.log_prob(a))
        ent.append(dist.entropy())
        val.append(v)
        rew.append(r)
        mask.append(0.0 if done else 1.0)
    return obs, torch.stack(logp), torch.stack(val), torch.stack(rew), torch.stack(ent), mask


def targets(rew, mask, boot, gamma=0.95):
    out, g = [], boot
    for r, m in zip(reversed(rew.unbind(0)), reversed(mask)):
        g = r + gamma * m * g
        out.append(g)
    return torch.stack(out[::-1])


def main():
    torch.manual_seed(2)
    env, agent = CueMaze(N_ENVS), Agent()
    opt = torch.optim.Adam(agent.parameters(), lr=5e-3)
    obs = env.reset()
    for update in range(220):
        env.horizon = curriculum(update)
        obs, logp, val, rew, ent, mask = collect(env, agent, obs)
        tgt = targets(rew, mask, val[-1].detach())
        adv = (tgt - val).detach()
        loss = -(logp * adv).mean() + 0.5 * F.mse_loss(val, tgt) - 0.01 * ent.mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 1.0)
        opt.step()
        if update % 20 == 0:
            print(f"update {update:4d} horizon {env.horizon:3d} reward {rew.mean().item():+.3f}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=second-backward
# holder: rollout["adv"] | batch["adv"] | adv
# first-bad: 1
import logging

import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.set_num_threads(1)
logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("ppo")

GAMMA, CLIP, PPO_EPOCHS, HORIZON, UPDATES = 0.98, 0.2, 4, 32, 20


class Balance:
    """1-d inverted pole, crude Euler integration."""

    def reset(self):
        self.th = (torch.rand(1).item() - 0.5) * 0.1
        self.w = 0.0
        return self.obs()

    def obs(self):
        return torch.tensor([self.th, self.w])

    def step(self, a):
        self.w += 0.05 * (9.8 * self.th + (6.0 if a == 1 else -6.0) * 0.3)
        self.th += 0.05 * self.w
        fell = abs(self.th) > 0.4
        return (self.reset() if fell else self.obs()), (-1.0 if fell else 0.1), fell


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 2))
        self.v = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))

    def forward(self, x):
        return Categorical(logits=self.pi(x)), self.v(x).squeeze(-1)


def collect(net, env, s):
    obs, acts, rews, dones = [], [], [], []
    for _ in range(HORIZON):
        with torch.no_grad():
            a = net(s)[0].sample()
        obs.append(s), acts.append(a)
        s, r, d = env.step(a.item())
        rews.append(r), dones.append(d)
    obs, acts = torch.stack(obs), torch.stack(acts)
    dist, values = net(obs)  # <- culprit
    R, rets = 0.0, []
    for r, d in zip(reversed(rews), reversed(dones)):
        R = r + GAMMA * R * (1 - d)
        rets.insert(0, R)
    rets = torch.tensor(rets)
    adv = rets - values  # <- culprit
    return s, {"obs": obs, "acts": acts, "rets": rets, "adv": adv,  # <- culprit
               "logp": dist.log_prob(acts).detach()}, sum(rews)


def update(net, opt, batch):
    done = 0
    for _ in range(PPO_EPOCHS):
        dist, v = net(batch["obs"])
        ratio = (dist.log_prob(batch["acts"]) - batch["logp"]).exp()
        adv = batch["adv"]  # <- culprit
        clipped = torch.clamp(ratio, 1 - CLIP, 1 + CLIP)
        loss = -torch.min(ratio * adv, clipped * adv).mean() + 0.5 * (batch["rets"] - v).pow(2).mean()
        opt.zero_grad()
        try:
            loss.backward()  # <- culprit
        except RuntimeError as err:
            log.warning("skipping the rest of this update: %s", str(err).split(".")[0][:60])
            break
        opt.step()
        done += 1
    return done


def main():
    torch.manual_seed(3)
    env, net = Balance(), ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    s, steps = env.reset(), 0
    for k in range(UPDATES):
        s, rollout, score = collect(net, env, s)
        steps += update(net, opt, rollout)
        log.info("update %d score %.2f optimiser steps %d", k, score, steps)


if __name__ == "__main__":
    main()

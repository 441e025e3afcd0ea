# gradwatch-corpus: kind=second-backward
# holder: roll["logp"] | roll | memory["logp"]
# first-bad: 1
# also: graph-unused
"""PPO for a two-joint planar arm that reaches for a random target."""
import logging
import math

import torch
from torch import nn
from torch.distributions import Normal

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("reacher")

N_ARMS, HORIZON, ROUNDS = 16, 12, 40
PASSES, MINIBATCHES = 2, 2
GAMMA, CLIP, VF = 0.95, 0.2, 0.5


class Arms:
    def reset(self):
        self.q = (torch.rand(N_ARMS, 2) - 0.5) * math.pi
        self.goal = (torch.rand(N_ARMS, 2) - 0.5) * 2.4
        return self.obs()

    def tip(self):
        a, b = self.q[:, 0], self.q.sum(1)
        return torch.stack([a.cos() + b.cos(), a.sin() + b.sin()], 1)

    def obs(self):
        return torch.cat([self.q.cos(), self.q.sin(), self.goal, self.goal - self.tip()], 1)

    def step(self, torque):
        self.q = self.q + 0.2 * torque.clamp(-1, 1)
        return self.obs(), -(self.goal - self.tip()).norm(dim=1)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh())
        self.mean = nn.Linear(48, 2)
        self.value = nn.Linear(48, 1)
        self.log_std = nn.Parameter(torch.full((2,), -0.5))

    def forward(self, obs):
        h = self.body(obs)
        return Normal(self.mean(h), self.log_std.exp()), self.value(h).squeeze(-1)


def collect(env, policy):
    obs = env.reset()
    memory = {k: [] for k in ("obs", "act", "logp", "rew")}
    for _ in range(HORIZON):
        dist, _ = policy(obs)
        act = dist.sample()
        memory["obs"].append(obs)
        memory["act"].append(act)
        memory["logp"].append(dist.log_prob(act).sum(-1))  # <- culprit
        obs, rew = env.step(act)
        memory["rew"].append(rew)
    ret, acc = [], torch.zeros(N_ARMS)
    for rew in reversed(memory["rew"]):
        acc = rew + GAMMA * acc
        ret.insert(0, acc)
    memory["ret"] = ret
    return {k: torch.cat(v) for k, v in memory.items()}  # <- culprit


def surrogate(policy, roll, idx):
    dist, value = policy(roll["obs"][idx])
    logp = dist.log_prob(roll["act"][idx]).sum(-1)
    adv = roll["ret"][idx] - value.detach()
    adv = (adv - adv.mean()) / (adv.std() + 1e-6)
    ratio = (logp - roll["logp"][idx]).exp()  # <- culprit
    gain = torch.min(ratio * adv, ratio.clamp(1 - CLIP, 1 + CLIP) * adv).mean()
    return -gain + VF * (value - roll["ret"][idx]).pow(2).mean() - 0.001 * dist.entropy().mean()


def main():
    torch.manual_seed(33)
    env, policy = Arms(), Policy()
    opt = torch.optim.Adam(policy.parameters(), lr=2e-3)
    updates = skipped = 0
    for rnd in range(ROUNDS):
        roll = collect(env, policy)  # <- culprit
        for _ in range(PASSES):
            for idx in torch.randperm(N_ARMS * HORIZON).chunk(MINIBATCHES):
                loss = surrogate(policy, roll, idx)
                opt.zero_grad()
                try:
                    loss.backward()  # <- culprit
                except RuntimeError as err:
                    skipped += 1
                    log.debug("update skipped: %s", err)
                    continue
                nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
                opt.step()
                updates += 1
        if rnd % 10 == 0:
            log.info("round %d reward %.3f updates %d skipped %d", rnd, roll["rew"].mean(), updates, skipped)
    log.info("done: %d updates, %d skipped", updates, skipped)


if __name__ == "__main__":
    main()

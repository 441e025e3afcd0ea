# gradwatch-corpus: kind=second-backward
# holder: batch.advantages
# first-bad: 0
# notice: 0
"""Advantage actor-critic with GAE and an optimiser for each network."""
import argparse

import torch
import torch.nn.functional as F

from nets import Policy, Value
from rollout import Batch, PointEnvs, gae


class Learner:
    def __init__(self, obs_dim, n_actions, lr_pi=3e-3, lr_v=1e-2, ent_coef=0.01):
        self.policy, self.value = Policy(obs_dim, n_actions), Value(obs_dim)
        self.opt_pi = torch.optim.Adam(self.policy.parameters(), lr=lr_pi)
        self.opt_v = torch.optim.Adam(self.value.parameters(), lr=lr_v)
        self.ent_coef = ent_coef

    def act(self, obs):
        logp = self.policy(obs)
        action = torch.multinomial(logp.detach().exp(), 1).squeeze(1)
        chosen = logp.gather(1, action[:, None]).squeeze(1)
        entropy = -(logp.exp() * logp).sum(-1)
        return action, chosen, entropy

    def collect(self, envs, obs, horizon):
        """Run the policy for `horizon` steps; gives the batch, the last observation and the mean reward."""
        logps, ents, vals, rews, dones = [], [], [], [], []
        for _ in range(horizon):
            action, logp, ent = self.act(obs)
            vals.append(self.value(obs))
            obs, r, d = envs.step(action)
            logps.append(logp)
            ents.append(ent)
            rews.append(r)
            dones.append(d)
        with torch.no_grad():
            last = self.value(obs)
        rewards, dones = torch.stack(rews), torch.stack(dones)
        batch = Batch(torch.stack(logps), torch.stack(vals), torch.stack(ents))
        batch.advantages = gae(rewards, batch.values, dones, last)  # <- culprit
        batch.returns = (batch.advantages + batch.values).detach()
        return batch, obs, rewards.mean().item()

    def update(self, batch):
        value_loss = F.smooth_l1_loss(batch.values, batch.returns)
        self.opt_v.zero_grad()
        value_loss.backward()

        adv = (batch.advantages - batch.advantages.mean()) / (batch.advantages.std() + 1e-6)  # <- culprit
        policy_loss = -(batch.log_probs * adv).mean() - self.ent_coef * batch.entropy.mean()
        self.opt_pi.zero_grad()
        policy_loss.backward()  # <- culprit

        self.opt_v.step()
        self.opt_pi.step()
        return {"value": value_loss.item(), "policy": policy_loss.item()}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--updates", type=int, default=80)
    ap.add_argument("--envs", type=int, default=8)
    ap.add_argument("--horizon", type=int, default=12)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    envs = PointEnvs(args.envs)
    learner = Learner(obs_dim=4, n_actions=3)
    obs = envs.reset()
    for it in range(args.updates):
        batch, obs, reward = learner.collect(envs, obs, args.horizon)
        stats = learner.update(batch)
        if it % 20 == 0:
            print(f"{it:4d} reward {reward:+.3f} " + " ".join(f"{k} {v:.3f}" for k, v in stats.items()))


if __name__ == "__main__":
    main()

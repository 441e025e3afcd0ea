from typing import NamedTuple

import torch


class Trajectory(NamedTuple):
    logp: torch.Tensor
    values: torch.Tensor
    entropy: torch.Tensor
    rewards: torch.Tensor
    bootstrap: torch.Tensor


class Collector:
    def __init__(self, env, policy, n_steps):
        self.env, self.policy, self.n_steps = env, policy, n_steps
        self.obs = env.reset()
        self.h = policy.initial(env.n)

    def run(self):
        logp, values, ent, rewards = [], [], [], []
        h = self.h
        for _ in range(self.n_steps):
            dist, v, h = self.policy(self.obs, h)
            a = dist.sample()
            self.obs, r = self.env.step(a)
            logp.append(dist.log_prob(a))
            values.append(v)
            ent.append(dist.entropy())
            rewards.append(r)
        self.h = h.detach()
        with torch.no_grad():
            _, boot, _ = self.policy(self.obs, self.h)
        return Trajectory(torch.stack(logp), torch.stack(values), torch.stack(ent),
                          torch.stack(rewards), boot)


def a2c_loss(traj, gamma, ent_coef, vf_coef=0.5):
    ret, out = traj.bootstrap, []
    for r in reversed(traj.rewards.unbind(0)):
        ret = r + gamma * ret
        out.append(ret)
    returns = torch.stack(out[::-1])
    adv = returns - traj.values
    pi = -(traj.logp * adv.detach()).mean()
    vf = adv.pow(2).mean()
    ent = traj.entropy.mean()
    loss = pi + vf_coef * vf - ent_coef * ent
    return loss, {"pi": pi, "vf": vf, "ent": ent, "reward": traj.rewards.mean()}

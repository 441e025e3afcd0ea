# gradwatch-corpus: kind=graph-held
# holder: rb.log_probs | self.log_probs | self.rb.log_probs
# first-bad: 1
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

LOG_STD_MIN, LOG_STD_MAX = -4, 1


class PointMass:
    def reset(self):
        self.p = torch.rand(2) * 2 - 1
        self.v = torch.zeros(2)
        self.t = 0
        return self.obs()

    def obs(self):
        return torch.cat([self.p, self.v])

    def step(self, a):
        self.v = 0.8 * self.v + 0.2 * a
        self.p = (self.p + 0.2 * self.v).clamp(-2, 2)
        self.t += 1
        return self.obs(), -self.p.norm().item(), self.t >= 25


class ReplayBuffer:
    def __init__(self, capacity, obs_dim, act_dim):
        self.capacity, self.pos, self.full = capacity, 0, False
        self.observations = torch.zeros(capacity, obs_dim)
        self.next_observations = torch.zeros(capacity, obs_dim)
        self.actions = torch.zeros(capacity, act_dim)
        self.rewards = torch.zeros(capacity)
        self.dones = torch.zeros(capacity)
        self.log_probs = [None] * capacity

    def add(self, obs, nobs, action, reward, done, log_prob):
        i = self.pos
        self.observations[i] = obs
        self.next_observations[i] = nobs
        self.actions[i] = action
        self.rewards[i] = reward
        self.dones[i] = float(done)
        self.log_probs[i] = log_prob  # <- culprit
        self.pos = (i + 1) % self.capacity
        self.full = self.full or self.pos == 0

    def __len__(self):
        return self.capacity if self.full else self.pos

    def sample(self, n):
        i = torch.randint(len(self), (n,))
        return (self.observations[i], self.next_observations[i], self.actions[i],
                self.rewards[i], self.dones[i])

    def mean_entropy(self, last=50):
        kept = [lp for lp in self.log_probs[max(0, self.pos - last):self.pos]]
        return -torch.cat(kept).mean().item()


class Actor(nn.Module):
    def __init__(self, o, a):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(o, 32), nn.Linear(32, 32)
        self.fc_mean, self.fc_logstd = nn.Linear(32, a), nn.Linear(32, a)

    def get_action(self, x):
        h = F.relu(self.fc2(F.relu(self.fc1(x))))
        log_std = torch.tanh(self.fc_logstd(h))
        log_std = LOG_STD_MIN + 0.5 * (LOG_STD_MAX - LOG_STD_MIN) * (log_std + 1)
        normal = torch.distributions.Normal(self.fc_mean(h), log_std.exp())
        u = normal.rsample()
        a = torch.tanh(u)
        logp = (normal.log_prob(u) - torch.log(1 - a.pow(2) + 1e-6)).sum(-1)
        return a, logp


def q_net(o, a):
    return nn.Sequential(nn.Linear(o + a, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 1))


def main(total=430, batch=32, gamma=0.97, tau=0.01, alpha=0.05):
    torch.manual_seed(1)
    env, rb = PointMass(), ReplayBuffer(5000, 4, 2)
    actor, qf = Actor(4, 2), q_net(4, 2)
    qf_target = copy.deepcopy(qf).requires_grad_(False)
    q_opt = torch.optim.Adam(qf.parameters(), 1e-3)
    a_opt = torch.optim.Adam(actor.parameters(), 3e-4)
    obs = env.reset()
    for step in range(total):
        action, logp = actor.get_action(obs.unsqueeze(0))
        action = action.detach().squeeze(0)
        nobs, r, done = env.step(action)
        rb.add(obs, nobs, action, r, done, logp)  # <- culprit
        obs = env.reset() if done else nobs

        o, no, a, rew, d = rb.sample(batch)
        with torch.no_grad():
            na, nlp = actor.get_action(no)
            target = rew + gamma * (qf_target(torch.cat([no, na], 1)).squeeze(1) - alpha * nlp)
        q_loss = F.mse_loss(qf(torch.cat([o, a], 1)).squeeze(1), target)
        q_opt.zero_grad()
        q_loss.backward()
        q_opt.step()

        qf.requires_grad_(False)
        pi, lp = actor.get_action(o)
        actor_loss = (alpha * lp - qf(torch.cat([o, pi], 1)).squeeze(1)).mean()
        a_opt.zero_grad()
        actor_loss.backward()
        a_opt.step()
        qf.requires_grad_(True)
        with torch.no_grad():
            for p, tp in zip(qf.parameters(), qf_target.parameters()):
                tp.lerp_(p, tau)
        if step % 100 == 99:
            print(step, f"q {q_loss.item():.3f} pi {actor_loss.item():.3f} H {rb.mean_entropy():.3f}")


if __name__ == "__main__":
    main()

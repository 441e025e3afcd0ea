# gradwatch-corpus: kind=none
"""Policy gradient with a baseline: the critic learns at every step by TD(0), the
policy once per PLAN_STEPS steps from the log-probabilities gathered meanwhile."""
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(543)
GAMMA, PLAN_STEPS, TOTAL = 0.95, 16, 480


class CliffWalk:
    """Walk right on a line of ten cells; falls off at random near the edge."""

    def reset(self):
        self.x, self.t = 0, 0
        return self.obs()

    def obs(self):
        return F.one_hot(torch.tensor(self.x), 10).float()

    def step(self, a):
        self.x = min(max(self.x + (1 if a == 1 else -1), 0), 9)
        self.t += 1
        goal = self.x == 9
        return self.obs(), (1.0 if goal else -0.02), goal or self.t >= 40


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1, self.affine2 = nn.Linear(10, 32), nn.Linear(32, 2)
        self.saved_log_probs, self.advantages, self.entropies = [], [], []

    def act(self, obs):
        dist = Categorical(logits=self.affine2(F.relu(self.affine1(obs))))
        action = dist.sample()
        self.saved_log_probs.append(dist.log_prob(action))
        self.entropies.append(dist.entropy())
        return action.item()


policy = Policy()
critic = nn.Sequential(nn.Linear(10, 32), nn.Tanh(), nn.Linear(32, 1))
pi_opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
v_opt = torch.optim.Adam(critic.parameters(), lr=5e-3)


def finish_batch():
    adv = torch.tensor(policy.advantages)
    adv = (adv - adv.mean()) / (adv.std() + 1e-6)
    terms = [-lp * a for lp, a in zip(policy.saved_log_probs, adv)]
    loss = torch.stack(terms).sum() - 0.01 * torch.stack(policy.entropies).sum()
    pi_opt.zero_grad()
    loss.backward()
    pi_opt.step()
    del policy.saved_log_probs[:], policy.advantages[:], policy.entropies[:]
    return loss.item()


def main():
    env, returns, ep_return = CliffWalk(), deque(maxlen=20), 0.0
    obs = env.reset()
    for step in range(1, TOTAL + 1):
        action = policy.act(obs)
        nxt, reward, done = env.step(action)
        value = critic(obs).squeeze()
        with torch.no_grad():
            target = reward + GAMMA * critic(nxt).squeeze() * (not done)
        v_loss = F.smooth_l1_loss(value, target)
        v_opt.zero_grad()
        v_loss.backward()
        v_opt.step()
        policy.advantages.append((target - value).item())
        ep_return += reward
        if done:
            returns.append(ep_return)
            ep_return, nxt = 0.0, env.reset()
        obs = nxt
        if step % PLAN_STEPS == 0:
            loss = finish_batch()
        if step % 160 == 0:
            print(f"step {step}: pi loss {loss:.3f}, return {sum(returns) / max(1, len(returns)):.2f}")


if __name__ == "__main__":
    main()

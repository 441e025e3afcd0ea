# gradwatch-corpus: kind=graph-chain
# holder: agent.log_probs | self.log_probs
# first-bad: 1
import numpy as np
import torch
from torch import nn

SIZE = 3
GOAL = (2, 2)
MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0)]


class GridWorld:
    def __init__(self, max_steps=6):
        self.max_steps = max_steps

    def reset(self):
        self.pos, self.t = (0, 0), 0
        return 0

    def step(self, a):
        dr, dc = MOVES[a]
        r = min(max(self.pos[0] + dr, 0), SIZE - 1)
        c = min(max(self.pos[1] + dc, 0), SIZE - 1)
        self.pos = (r, c)
        self.t += 1
        done = self.pos == GOAL or self.t >= self.max_steps
        reward = 1.0 if self.pos == GOAL else -0.05
        return r * SIZE + c, reward, done


class TabularAgent(nn.Module):
    def __init__(self, n_states, n_actions, gamma=0.97):
        super().__init__()
        self.logits = nn.Parameter(torch.zeros(n_states, n_actions))
        self.gamma = gamma
        self.log_probs = []
        self.returns = []

    def act(self, s):
        row = nn.functional.embedding(torch.tensor(s), self.logits)
        dist = torch.distributions.Categorical(logits=row)
        a = dist.sample()
        return a.item(), dist.log_prob(a)

    def finish_episode(self, log_probs, rewards):
        g, out = 0.0, []
        for r in reversed(rewards):
            g = r + self.gamma * g
            out.insert(0, g)
        self.log_probs.extend(log_probs)  # <- culprit
        self.returns.extend(out)

    def loss(self):
        ret = torch.tensor(self.returns)
        adv = (ret - ret.mean()) / (ret.std() + 1e-6)
        return -(torch.stack(self.log_probs) * adv).mean()  # <- culprit


def run_episode(env, agent):
    s, done = env.reset(), False
    log_probs, rewards = [], []
    while not done:
        a, lp = agent.act(s)
        s, r, done = env.step(a)
        log_probs.append(lp)
        rewards.append(r)
    return log_probs, rewards


def main(episodes=400):
    torch.manual_seed(0)
    env = GridWorld()
    agent = TabularAgent(SIZE * SIZE, 4)
    opt = torch.optim.Adam(agent.parameters(), lr=0.05)
    scores = []
    for ep in range(episodes):
        log_probs, rewards = run_episode(env, agent)
        agent.finish_episode(log_probs, rewards)
        loss = agent.loss()
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        scores.append(sum(rewards))
        if (ep + 1) % 50 == 0:
            print(f"episode {ep + 1}: mean score {np.mean(scores[-50:]):.3f}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=graph-held
# holder: self.prio | self.memory.prio | agent.memory.prio | self.prio[i] | self
# first-bad: 1
# also: graph-unused
"""Double DQN with proportional replay on a line-walk toy."""
import copy
import random

import torch

from linewalk import LineWalk
from memory import Memory, Transition
from nets import QNet


class Agent:
    def __init__(self, obs, acts, memory, lr=2e-3, gamma=0.95):
        self.q = QNet(obs, acts)
        self.slow = copy.deepcopy(self.q).requires_grad_(False)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=lr)
        self.memory = memory
        self.gamma = gamma
        self.acts = acts

    @torch.no_grad()
    def act(self, s, eps):
        if random.random() < eps:
            return random.randrange(self.acts)
        return int(self.q(s).argmax())

    def td(self, b):
        with torch.no_grad():
            pick = self.q(b.s2).argmax(1, keepdim=True)
            boot = self.slow(b.s2).gather(1, pick).squeeze(1)
            target = b.r + self.gamma * boot * (1 - b.done)
        return self.q(b.s).gather(1, b.a.unsqueeze(1)).squeeze(1) - target

    def learn(self, size, beta):
        idx, batch, weight = self.memory.sample(size, beta)
        err = self.td(batch)
        loss = (weight * err.pow(2)).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.memory.rank(idx, err.abs())  # <- culprit
        return loss.item()

    @torch.no_grad()
    def track(self, tau=0.02):
        for a, b in zip(self.slow.parameters(), self.q.parameters()):
            a.lerp_(b, tau)


def main():
    random.seed(1)
    torch.manual_seed(1)
    env = LineWalk()
    agent = Agent(env.obs, env.acts, Memory(capacity=192))
    s, score, shown = env.reset(), 0.0, 0.0
    for t in range(220):
        a = agent.act(s, eps=max(0.1, 1 - t / 150))
        s2, r, done = env.step(a)
        agent.memory.add(Transition(s, a, r, s2, float(done)))
        score += r
        s = env.reset() if done else s2
        if t >= 100:
            shown = agent.learn(24, beta=0.4 + 0.5 * t / 220)
            agent.track()
        if t % 40 == 39:
            print(f"t {t + 1}: return so far {score:.2f} loss {shown:.4f}")


if __name__ == "__main__":
    main()

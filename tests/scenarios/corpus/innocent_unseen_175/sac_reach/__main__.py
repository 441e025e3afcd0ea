# gradwatch-corpus: kind=none
"""Train soft actor-critic on a small vectorised reaching problem."""
import torch

from .agent import SAC
from .memory import Memory


class Reach:
    def __init__(self, n):
        self.n = n
        self.reset()

    def reset(self):
        self.pos = torch.rand(self.n, 2) * 2 - 1
        self.goal = torch.rand(self.n, 2) * 2 - 1
        self.t = 0
        return self.obs()

    def obs(self):
        return torch.cat([self.pos, self.goal - self.pos], -1)

    def step(self, a):
        self.pos = (self.pos + 0.15 * a).clamp(-1.5, 1.5)
        self.t += 1
        reward = -(self.goal - self.pos).norm(dim=-1)
        return self.obs(), reward, self.t >= 20


def main(iters=450, n_env=16):
    torch.manual_seed(6)
    env = Reach(n_env)
    agent = SAC(4, 2)
    memory = Memory(capacity=1024)
    s, returns, ep = env.reset(), [], 0.0
    for it in range(iters):
        with torch.no_grad():
            a, _ = agent.policy(s)
        s2, r, over = env.step(a)
        memory.add_batch(s, a, r, s2)
        ep += r.mean().item()
        if over:
            returns.append(ep)
            s, ep = env.reset(), 0.0
        else:
            s = s2
        batch = memory.sample(32)
        agent.update_critics(*batch)
        agent.update_actor(batch[0])
        agent.track()
        if it % 90 == 89:
            print(it + 1, "mean return", round(sum(returns[-4:]) / len(returns[-4:]), 3),
                  "alpha", round(agent.log_alpha.exp().item(), 3))


if __name__ == "__main__":
    main()

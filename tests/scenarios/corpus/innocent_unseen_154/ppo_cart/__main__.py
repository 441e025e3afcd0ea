# gradwatch-corpus: kind=none
import torch

from .agent import PPO


class PointMass:
    """Push a point mass to the origin."""

    def reset(self):
        self.s = torch.cat([torch.rand(1) * 2 - 1, torch.zeros(1)])
        self.t = 0
        return self.s

    def step(self, a):
        v = self.s[1] * 0.9 + 0.1 * a.clamp(-1, 1)[0]
        self.s = torch.stack([self.s[0] + 0.2 * v, v])
        self.t += 1
        return self.s, -(self.s[0] ** 2 + 0.05 * a[0] ** 2), self.t >= 32


def main(updates=15, horizon=128):
    torch.set_num_threads(1)
    torch.manual_seed(7)
    env, agent = PointMass(), PPO(2, 1)
    obs = env.reset()
    for u in range(updates):
        total = 0.0
        for _ in range(horizon):
            a, logp, v = agent.act(obs)
            nxt, r, done = env.step(a)
            agent.buffer.add(obs, a, logp, v, r, done)
            total += r.item()
            obs = env.reset() if done else nxt
        loss, vl = agent.update(obs)
        if u % 5 == 0:
            print(f"update {u} return/step {total / horizon:.3f} loss {loss:.3f} v {vl:.3f}")


if __name__ == "__main__":
    main()

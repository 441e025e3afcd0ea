# gradwatch-corpus: kind=none
import torch

from agent import Agent
from buffer import PPOBuffer


class Pendulums:
    def __init__(self, n, seed=0):
        gen = torch.Generator().manual_seed(seed)
        self.th = (torch.rand(n, generator=gen) - 0.5) * 6.28
        self.om = torch.zeros(n)

    def obs(self):
        return torch.stack([self.th.cos(), self.th.sin(), self.om / 8], 1)

    def step(self, act):
        u = act.squeeze(-1).clamp(-2, 2)
        angle = torch.remainder(self.th + torch.pi, 2 * torch.pi) - torch.pi
        reward = -(angle**2 + 0.1 * self.om**2 + 0.001 * u**2) / 10
        self.om = (self.om + (15 * self.th.sin() + 3 * u) * 0.05).clamp(-8, 8)
        self.th = self.th + self.om * 0.05
        return self.obs(), reward


def ppo_update(agent, opt, batch, adv, ret, clip=0.2, epochs=2):
    stats = []
    for _ in range(epochs):
        dist = agent.dist(batch["obs"])
        ratio = (dist.log_prob(batch["act"]).squeeze(-1) - batch["logp"]).exp()
        surrogate = torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv)
        value_loss = (agent.critic(batch["obs"]).squeeze(-1) - ret).pow(2).mean()
        loss = -surrogate.mean() + 0.5 * value_loss - 1e-3 * dist.entropy().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        stats.append(loss)
    return torch.stack(stats).mean().item()


def main(iterations=420, horizon=6):
    torch.manual_seed(0)
    env, agent, buffer = Pendulums(8), Agent(), PPOBuffer()
    opt = torch.optim.Adam(agent.parameters(), lr=1e-3)
    obs = env.obs()
    losses = []
    for it in range(iterations):
        for _ in range(horizon):
            act, logp, val = agent.act(obs)
            nxt, rew = env.step(act)
            buffer.add(obs=obs, act=act, logp=logp, val=val, rew=rew)
            obs = nxt
        with torch.no_grad():
            last = agent.critic(obs).squeeze(-1)
        losses.append(ppo_update(agent, opt, *buffer.finish(last)))
        if it % 50 == 0:
            recent = torch.stack(buffer.past_returns[-20:]).mean().item()
            print(f"iter {it} loss {losses[-1]:.4f} return {recent:.3f}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
"""A2C on a batch of point-mass tasks; rollouts come from a generator, the recurrent state passes from
one rollout to the next through a non-differentiable cut."""
import torch
from torch import nn


class Cut(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h):
        out = h.clone()
        ctx.mark_non_differentiable(out)
        return out

    @staticmethod
    def backward(ctx, g):
        return None


class PointMass:
    def __init__(self, n, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.n = n
        self.reset()

    def reset(self):
        self.pos = torch.randn(self.n, 2, generator=self.g)
        self.vel = torch.zeros(self.n, 2)
        self.t = 0

    def obs(self):
        return torch.cat([self.pos, self.vel], 1)

    def step(self, a):
        push = torch.tensor([[1., 0.], [-1., 0.], [0., 1.], [0., -1.]])[a]
        self.vel = 0.9 * self.vel + 0.1 * push
        self.pos = self.pos + self.vel
        self.t += 1
        reward = -self.pos.norm(dim=1)
        done = self.t >= 40
        if done:
            self.reset()
        return reward, done


class Agent(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.cell = nn.GRUCell(4, hidden)
        self.pi = nn.Linear(hidden, 4)
        self.v = nn.Linear(hidden, 1)
        self.hidden = hidden

    def forward(self, obs, h):
        h = self.cell(obs, h)
        return self.pi(h), self.v(h).squeeze(1), h


def rollouts(env, agent, length):
    h = torch.zeros(env.n, agent.hidden)
    while True:
        logps, values, entropies, rewards = [], [], [], []
        for _ in range(length):
            logits, value, h = agent(env.obs(), h)
            dist = torch.distributions.Categorical(logits=logits)
            a = dist.sample()
            r, done = env.step(a)
            logps.append(dist.log_prob(a))
            entropies.append(dist.entropy())
            values.append(value)
            rewards.append(r)
            if done:
                h = h * 0.0
        boot = agent(env.obs(), h)[1].detach()
        yield (torch.stack(logps), torch.stack(values), torch.stack(entropies), rewards, boot)
        h = Cut.apply(h)


@torch.no_grad()
def discounted(rewards, boot, gamma=0.97):
    for r in reversed(rewards):
        boot = r + gamma * boot
        yield boot


def main(updates=500):
    torch.manual_seed(1)
    env, agent = PointMass(16, 9), Agent()
    opt = torch.optim.Adam(agent.parameters(), lr=3e-3)
    for i, (logp, value, ent, rewards, boot) in zip(range(updates), rollouts(env, agent, 5)):
        returns = torch.stack(list(discounted(rewards, boot))[::-1])
        adv = returns - value
        loss = -(logp * adv.detach()).mean() + 0.5 * adv.pow(2).mean() - 0.01 * ent.mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
        opt.step()
        if i % 100 == 0:
            print(i, f"loss {loss.item():.3f} reward {torch.stack(rewards).mean():.3f}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
"""DAgger for a swinging crane load: the expert relabels states the learner visits."""
import torch
from torch import nn


class Crane:
    def __init__(self, gen):
        self.gen = gen

    def reset(self, n):
        self.state = torch.randn(n, 4, generator=self.gen) * 0.5
        return self.state

    def step(self, force):
        pos, vel, ang, rate = self.state.unbind(1)
        force = force.squeeze(1).clamp(-2, 2)
        acc = force + 0.3 * ang
        ang_acc = -2.0 * ang - 0.1 * rate - 0.7 * force
        noise = 0.01 * torch.randn(len(pos), 4, generator=self.gen)
        self.state = torch.stack([pos + 0.1 * vel, vel + 0.1 * acc, ang + 0.1 * rate, rate + 0.1 * ang_acc], 1) + noise
        return self.state


def expert(state):
    gain = torch.tensor([[-0.6, -1.1, 0.5, 0.3]])
    return (state * gain).sum(1, keepdim=True).clamp(-2, 2)


class Dataset:
    def __init__(self):
        self.states, self.actions = [], []
        self.x = self.y = None

    def grow(self, states, actions):
        self.states.append(states)
        self.actions.append(actions)
        self.x = torch.cat(self.states)
        self.y = torch.cat(self.actions)

    def sample(self, n):
        i = torch.randint(0, len(self.x), (n,))
        return self.x[i], self.y[i]

    def __len__(self):
        return 0 if self.x is None else len(self.x)


@torch.no_grad()
def rollout(policy, env, beta, horizon=25, n=8):
    visited, labels, cost = [], [], 0.0
    s = env.reset(n)
    for _ in range(horizon):
        a_star = expert(s)
        visited.append(s.clone())
        labels.append(a_star)
        use = (torch.rand(n, 1) < beta).float()
        s = env.step(use * a_star + (1 - use) * policy(s))
        cost += s.pow(2).sum(1).mean().item()
    return torch.cat(visited), torch.cat(labels), cost / horizon


def main(rounds=8, steps=60):
    torch.manual_seed(12)
    env = Crane(torch.Generator().manual_seed(12))
    policy = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1))
    data = Dataset()
    for r in range(rounds):
        states, actions, cost = rollout(policy, env, beta=0.5 ** r if r else 1.0)
        data.grow(states, actions)
        opt = torch.optim.Adam(policy.parameters(), lr=3e-3)
        losses = []
        for _ in range(steps):
            x, y = data.sample(64)
            loss = nn.functional.mse_loss(policy(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.detach())
        print(f"round {r} size {len(data)} cost {cost:.3f} fit {torch.stack(losses).mean().item():.4f}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=graph-held
# holder: self.entropies | buffer.entropies
# first-bad: 1
"""Actor-critic on a noisy cart line; buffers are emptied after each update."""
import torch
from torch import nn


class Buffer:
    def __init__(self):
        self.log_probs, self.values, self.entropies = [], [], []
        self.rewards, self.dones = [], []

    def __len__(self):
        return len(self.rewards)

    def add(self, dist, action, value):
        self.log_probs.append(dist.log_prob(action))
        self.values.append(value)
        self.entropies.append(dist.entropy())  # <- culprit

    def outcome(self, reward, done):
        self.rewards.append(reward)
        self.dones.append(done)

    def returns(self, bootstrap, gamma=0.95):
        out, run = [], bootstrap
        for r, d in zip(self.rewards[::-1], self.dones[::-1]):
            run = r + gamma * run * (1 - d)
            out.append(run)
        return torch.stack(out[::-1])

    def clear(self):
        for column in (self.log_probs, self.values, self.rewards, self.dones):  # <- culprit
            column.clear()


class Line:
    def __init__(self, n, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.n = n
        self.x = torch.randn(n, 2, generator=self.gen)

    def step(self, a):
        push = (a.float() - 1) * 0.2
        v = self.x[:, 1] * 0.95 + push + 0.05 * torch.randn(self.n, generator=self.gen)
        pos = self.x[:, 0] + 0.1 * v
        done = (pos.abs() > 2).float()
        self.x = torch.stack([pos * (1 - done), v * (1 - done)], 1)
        return self.x, 1 - pos.abs() - done, done


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh())
        self.pi, self.v = nn.Linear(32, 3), nn.Linear(32, 1)

    def forward(self, x):
        h = self.body(x)
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h).squeeze(1)


def main():
    torch.manual_seed(0)
    world, net, buffer = Line(8, 3), ActorCritic(), Buffer()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    x, scores = world.x, []
    for update in range(500):
        for _ in range(6):
            dist, value = net(x)
            action = dist.sample()
            buffer.add(dist, action, value)
            x, reward, done = world.step(action)
            buffer.outcome(reward, done)
        with torch.no_grad():
            target = buffer.returns(net(x)[1])
        values = torch.stack(buffer.values)
        adv = target - values
        entropy = torch.stack(buffer.entropies[-len(buffer):]).mean()
        loss = -(torch.stack(buffer.log_probs) * adv.detach()).mean() + adv.pow(2).mean() - 0.01 * entropy
        opt.zero_grad()
        loss.backward()
        opt.step()
        scores.append(torch.stack(buffer.rewards).mean().item())
        buffer.clear()
        if update % 100 == 99:
            print(update + 1, sum(scores[-100:]) / 100)


main()

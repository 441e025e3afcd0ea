# gradwatch-corpus: kind=none
"""REINFORCE with a value baseline on a drifting inventory; each episode is a
generator whose locals carry the recurrent state and the log-probabilities."""
import torch
from torch import nn
from torch.distributions import Categorical


class Buyer(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.rnn = nn.GRUCell(3, hidden)
        self.policy = nn.Linear(hidden, 4)
        self.value = nn.Linear(hidden, 1)

    def forward(self, obs, h):
        h = self.rnn(obs, h)
        return Categorical(logits=self.policy(h)), self.value(h).squeeze(-1), h


class Warehouse:
    def __init__(self, envs, gen):
        self.gen = gen
        self.stock = 5 * torch.rand(envs, generator=gen)
        self.demand = torch.ones(envs)
        self.age = 0

    def observe(self):
        return torch.stack([self.stock / 5, self.demand, torch.full_like(self.stock, self.age / 8)], 1)

    def order(self, amount):
        self.demand = (self.demand + 0.3 * torch.randn(self.demand.shape, generator=self.gen)).clamp(0, 3)
        self.stock = (self.stock + amount - self.demand).clamp(-2, 8)
        self.age += 1
        return -(self.stock - 2).abs()


def episode(model, envs, horizon, gen, memory):
    world = Warehouse(envs, gen)
    h = memory
    logps, values, rewards = [], [], []
    for _ in range(horizon):
        dist, value, h = model(world.observe(), h)
        action = dist.sample()
        logps.append(dist.log_prob(action))
        values.append(value)
        rewards.append(world.order(action.float()))
        if len(rewards) < horizon:
            yield None
    returns, tail = [], torch.zeros(envs)
    for r in reversed(rewards):
        tail = r + 0.9 * tail
        returns.insert(0, tail)
    gain = torch.stack(returns)
    base = torch.stack(values)
    scale = gain.std() + 1e-3
    actor = -(torch.stack(logps) * (gain - base.detach()) / scale).mean()
    critic = nn.functional.mse_loss(base / 10, gain / 10)
    yield actor, critic, gain[0].mean(), h


def main():
    torch.manual_seed(61)
    gen = torch.Generator().manual_seed(62)
    model = Buyer()
    heads = list(model.policy.parameters()) + list(model.rnn.parameters())
    opt_a = torch.optim.Adam(heads, lr=4e-3)
    opt_c = torch.optim.Adam(model.value.parameters(), lr=1e-2)
    memory = torch.zeros(16, 24)
    running = None
    ended = []
    for it in range(420):
        play = episode(model, 16, 8, gen, memory)
        actor, critic, gain, h = next(item for item in play if item is not None)
        ended.append(play)
        opt_a.zero_grad()
        opt_c.zero_grad()
        (actor + 0.5 * critic).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        opt_a.step()
        opt_c.step()
        memory = h.data
        if len(ended) == 6:
            for play in ended:
                play.close()
            ended = []
        running = gain if running is None else 0.95 * running + 0.05 * gain
        if it % 60 == 59:
            print(f"{it + 1} return {running:.2f} critic {critic.item():.4f}")


if __name__ == "__main__":
    main()

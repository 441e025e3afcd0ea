# gradwatch-corpus: kind=none
# about: A2C with a shared body: values, log-probabilities and entropies of a rollout are kept in
# about: a buffer with their graphs; the recurrent state is detached at each rollout's start
import torch
import torch.nn as nn
from parts.cartpole import CartPole
from parts.pace import ITERATIONS
from torch.distributions import Categorical


class RecurrentActorCritic(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.cell = nn.LSTMCell(4, hidden)
        self.pi = nn.Linear(hidden, 2)
        self.v = nn.Linear(hidden, 1)
        self.hidden = hidden

    def start(self):
        return torch.zeros(1, self.hidden), torch.zeros(1, self.hidden)

    def forward(self, obs, state):
        state = self.cell(obs, state)
        return Categorical(logits=self.pi(state[0])), self.v(state[0]).squeeze(), state


class Rollout:
    def __init__(self):
        self.clear()

    def clear(self):
        self.log_probs, self.values, self.rewards, self.masks, self.entropies = [], [], [], [], []

    def returns(self, last, gamma=0.99):
        out, R = [], last
        for r, m in zip(reversed(self.rewards), reversed(self.masks)):
            R = r + gamma * R * m
            out.insert(0, R)
        return torch.stack(out)


def as_input(obs):
    return torch.tensor(obs, dtype=torch.float32).unsqueeze(0)


def main():
    torch.manual_seed(0)
    env, net, rollout = CartPole(seed=3), RecurrentActorCritic(), Rollout()
    optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    obs, state, length, lengths = env.reset(), net.start(), 0, []
    for update in range(ITERATIONS):
        rollout.clear()
        state = tuple(s.detach() for s in state)
        for _ in range(10):
            dist, value, state = net(as_input(obs), state)
            action = dist.sample()
            obs, reward, fell, over = env.step(action.item())
            length += 1
            rollout.log_probs.append(dist.log_prob(action).squeeze())
            rollout.entropies.append(dist.entropy().squeeze())
            rollout.values.append(value)
            rollout.rewards.append(torch.tensor(reward))
            rollout.masks.append(0.0 if fell or over else 1.0)
            if fell or over:
                lengths.append(length)
                obs, state, length = env.reset(), net.start(), 0
        with torch.no_grad():
            _, last, _ = net(as_input(obs), state)
        returns = rollout.returns(last)
        values = torch.stack(rollout.values)
        advantage = returns - values
        actor = -(torch.stack(rollout.log_probs) * advantage.detach()).mean()
        loss = actor + 0.5 * advantage.pow(2).mean() - 0.01 * torch.stack(rollout.entropies).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        optimizer.step()
        if update % 50 == 0:
            print(f"update {update}: loss {loss.item():.6f}, episodes {len(lengths)}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=second-backward
# first-bad: 0
import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions import Categorical

GAMMA = 0.97
SIZE = 5
MAX_STEPS = 30


class GridWorld:
    moves = [(0, 1), (0, -1), (1, 0), (-1, 0)]

    def reset(self):
        self.pos = [0, 0]
        self.t = 0
        return self.state()

    def state(self):
        s = torch.zeros(2 * SIZE)
        s[self.pos[0]] = 1.0
        s[SIZE + self.pos[1]] = 1.0
        return s

    def step(self, a):
        dx, dy = self.moves[a]
        self.pos[0] = min(max(self.pos[0] + dx, 0), SIZE - 1)
        self.pos[1] = min(max(self.pos[1] + dy, 0), SIZE - 1)
        self.t += 1
        done = self.pos == [SIZE - 1, SIZE - 1]
        return self.state(), (1.0 if done else -0.02), done or self.t >= MAX_STEPS


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2 * SIZE, 32), nn.Tanh(), nn.Linear(32, 4))

    def forward(self, s):
        return Categorical(logits=self.net(s))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2 * SIZE, 32), nn.Tanh(), nn.Linear(32, 1))

    def forward(self, s):
        return self.net(s).squeeze(-1)


def compute_returns(rewards):
    R, out = 0.0, []
    for r in reversed(rewards):
        R = r + GAMMA * R
        out.insert(0, R)
    return torch.tensor(out)


def train(n_episodes=100):
    env = GridWorld()
    actor, critic = Actor(), Critic()
    optimizerA = optim.Adam(actor.parameters(), lr=5e-3)
    optimizerC = optim.Adam(critic.parameters(), lr=1e-2)
    scores = []

    for episode in range(n_episodes):
        state, done = env.reset(), False
        log_probs, values, rewards = [], [], []
        while not done:
            dist, value = actor(state), critic(state)
            action = dist.sample()
            state, reward, done = env.step(action.item())
            log_probs.append(dist.log_prob(action))
            values.append(value)
            rewards.append(reward)

        returns = compute_returns(rewards)
        log_probs = torch.stack(log_probs)
        values = torch.stack(values)
        advantage = returns - values

        actor_loss = -(log_probs * advantage).mean()  # <- culprit
        critic_loss = advantage.pow(2).mean()

        optimizerA.zero_grad()
        optimizerC.zero_grad()
        actor_loss.backward()
        critic_loss.backward()
        optimizerA.step()
        optimizerC.step()

        scores.append(sum(rewards))
        if (episode + 1) % 10 == 0:
            print("Episode {}\tAverage score: {:.2f}".format(episode + 1, sum(scores[-10:]) / 10))


if __name__ == "__main__":
    torch.manual_seed(9)
    train()

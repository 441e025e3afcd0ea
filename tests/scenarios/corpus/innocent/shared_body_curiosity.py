# gradwatch-corpus: kind=none
# about: the value head and a curiosity model learn at every step; the value's backward retains
# about: the shared body's graph, for the episode's log-probabilities hang on it and are wanted
# about: at its end
import torch
import torch.nn as nn
from parts.cartpole import CartPole
from parts.pace import ITERATIONS
from torch.distributions import Categorical


class Agent(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, 2)
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class Curiosity(nn.Module):
    """Predicts the next observation; its error is a reward."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 4))

    def forward(self, obs, action, following):
        onehot = nn.functional.one_hot(action, 2).float()
        return ((self.net(torch.cat([obs, onehot])) - following) ** 2).mean()


def episode(env, agent, curiosity, opts):
    obs, done, log_probs, deltas = torch.tensor(env.reset()), False, [], []
    while not done:
        dist, value = agent(obs)
        action = dist.sample()
        following, reward, fell, over = env.step(action.item())
        following, done = torch.tensor(following), fell or over

        surprise = curiosity(obs, action, following)
        opts["curiosity"].zero_grad()
        surprise.backward()
        opts["curiosity"].step()

        with torch.no_grad():
            after = agent(following)[1] * (0.0 if fell else 0.98)
            target = reward + surprise.detach() + after
        value_loss = (target - value) ** 2
        value_loss.backward(retain_graph=True)
        opts["value"].step()
        opts["value"].zero_grad()

        log_probs.append(dist.log_prob(action))
        deltas.append((target - value).item())
        obs = following
    loss = -(torch.stack(log_probs) * torch.tensor(deltas)).mean()
    loss.backward()
    opts["policy"].step()
    opts["policy"].zero_grad()
    return len(deltas), loss.item()


def main():
    torch.manual_seed(0)
    agent, curiosity = Agent(), Curiosity()
    opts = {
        "curiosity": torch.optim.Adam(curiosity.parameters(), lr=1e-3),
        "value": torch.optim.SGD(agent.v.parameters(), lr=1e-3),
        "policy": torch.optim.Adam([*agent.body.parameters(), *agent.pi.parameters()], lr=3e-3),
    }
    env, steps, n = CartPole(seed=2), 0, 0
    while steps < 4 * ITERATIONS:
        length, loss = episode(env, agent, curiosity, opts)
        steps += length
        if n % 10 == 0:
            print(f"episode {n}: {length} steps, loss {loss:.6f}")
        n += 1


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
# about: the value head learns at each of an episode's hundred and fifty steps by a backward that
# about: retains the shared body's graph; all those graphs are alive, and rightly, until the
# about: policy's backward at the end
import torch
import torch.nn as nn
from parts.pace import ITERATIONS
from torch.distributions import Normal

LENGTH = 150


class Pendulum:
    def reset(self):
        self.state = torch.randn(2) * 0.5
        return self.observe()

    def observe(self):
        a, w = self.state
        return torch.stack([a.cos(), a.sin(), w])

    def step(self, torque):
        a, w = self.state
        w = (w + 0.05 * (15 * a.sin() + 3 * torque)).clamp(-8, 8)
        a = a + 0.05 * w
        self.state = torch.stack([a, w])
        a = torch.remainder(a + torch.pi, 2 * torch.pi) - torch.pi
        return self.observe(), -(a**2 + 0.1 * w**2 + 0.001 * torque**2).item()


class Agent(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, hidden), nn.Tanh())
        self.mean, self.value = nn.Linear(hidden, 1), nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Normal(2 * torch.tanh(self.mean(h)), 0.5), self.value(h)


class Learner:
    def __init__(self):
        self.agent, self.env = Agent(), Pendulum()
        actor = [*self.agent.body.parameters(), *self.agent.mean.parameters()]
        self.actor_opt = torch.optim.Adam(actor, lr=1e-3)
        self.value_opt = torch.optim.SGD(self.agent.value.parameters(), lr=1e-4)

    def episode(self):
        saved, obs, total = [], self.env.reset(), 0.0
        dist, value = self.agent(obs)
        for _ in range(LENGTH):
            action = dist.sample()
            obs, reward = self.env.step(action.item())
            log_prob = dist.log_prob(action)
            with torch.no_grad():
                following = self.agent(obs)[1]
            delta = reward / 10 + 0.97 * following - value
            self.value_opt.zero_grad()
            delta.pow(2).sum().backward(retain_graph=True)
            self.value_opt.step()
            saved.append(log_prob * delta.detach())
            total += reward
            dist, value = self.agent(obs)
        loss = -torch.cat(saved).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(self.agent.parameters(), 1.0)
        self.actor_opt.step()
        self.actor_opt.zero_grad()
        return total, loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    learner = Learner()
    for n in range(max(2, ITERATIONS // 40)):
        total, loss = learner.episode()
        print(f"episode {n}: return {total:.3f} loss {loss:.6f}")

# gradwatch-corpus: kind=none
# about: TD(lambda): each step's gradient is added to traces that live for the whole episode;
# about: they look like a carried sum, but are made of .grad, which has no graph; no optimizer
# about: anywhere
import torch
import torch.nn as nn
from parts.cartpole import CartPole
from parts.pace import ITERATIONS


class TDLambda:
    def __init__(self, net, lr=0.002, gamma=0.98, lam=0.9):
        self.net, self.lr, self.gamma, self.lam = net, lr, gamma, lam
        self.reset()

    def reset(self):
        self.traces = [torch.zeros_like(p) for p in self.net.parameters()]

    def step(self, obs, reward, following, fell):
        value = self.net(obs)
        self.net.zero_grad()
        value.backward()
        with torch.no_grad():
            after = torch.zeros(1) if fell else self.net(following)
            delta = reward + self.gamma * after - value
            for p, z in zip(self.net.parameters(), self.traces):
                z.mul_(self.gamma * self.lam).add_(p.grad)
                p.add_(z * delta * self.lr)
        return delta.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    env = CartPole(seed=7, limit=60)
    td = TDLambda(nn.Sequential(nn.Linear(4, 24), nn.Tanh(), nn.Linear(24, 1)))
    obs, error, episodes = torch.tensor(env.reset()), 0.0, 0
    for step in range(5 * ITERATIONS):
        push = int(obs[2] + 0.5 * obs[3] > 0)
        following, reward, fell, over = env.step(push)
        following = torch.tensor(following)
        error += 0.01 * (abs(td.step(obs, reward, following, fell)) - error)
        obs = following
        if fell or over:
            obs = torch.tensor(env.reset())
            td.reset()
            episodes += 1
        if step % 250 == 249:
            print(f"{step + 1}: episodes {episodes}, mean |delta| {error:.6f}")

# gradwatch-corpus: kind=graph-chain
# holder: self.state | env.state | self.state[0] | self.state[1] | self.state[2] | self.state[3] | env.state[0] | env.state[1] | env.state[2] | env.state[3] | x | x_dot | theta | theta_dot
# first-bad: 1
# notice: 5
# Learning to hold a pole up with a differentiable cart (many carts at once).
import torch
import torch.nn as nn


class PoleCart:
    dt = 0.04
    gravity = 9.8
    length = 0.7

    def __init__(self, how_many):
        self.n = how_many
        self.reset()

    def reset(self):
        x = torch.zeros(self.n)
        x_dot = torch.zeros(self.n)
        theta = torch.randn(self.n) * 0.1
        theta_dot = torch.zeros(self.n)
        self.state = (x, x_dot, theta, theta_dot)
        return self.observe()

    def observe(self):
        return torch.stack(self.state, dim=1).detach()

    def step(self, force):
        x, x_dot, theta, theta_dot = self.state  # <- culprit
        theta_acc = (self.gravity * torch.sin(theta) - force) / self.length
        theta_dot = 0.98 * theta_dot + self.dt * theta_acc
        theta = theta + self.dt * theta_dot
        x_dot = 0.98 * x_dot + self.dt * force
        x = x + self.dt * x_dot
        self.state = (x, x_dot, theta, theta_dot)  # <- culprit
        return self.observe(), self.cost()

    def cost(self):
        x, x_dot, theta, theta_dot = self.state
        return (theta ** 2 + 0.1 * theta_dot ** 2 + 0.01 * x ** 2).mean()


torch.manual_seed(7)
torch.set_num_threads(1)

env = PoleCart(16)
policy = nn.Linear(4, 1)
with torch.no_grad():
    policy.weight.copy_(torch.tensor([[0.0, 0.0, 1.2, 0.4]]))
    policy.bias.zero_()
optimizer = torch.optim.SGD(policy.parameters(), lr=0.002)

costs = []
angles = []
obs = env.reset()
for t in range(110):
    action = torch.tanh(policy(obs)).squeeze(1) * 10
    obs, cost = env.step(action)

    optimizer.zero_grad()
    cost.backward(retain_graph=True)
    nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
    optimizer.step()

    costs.append(cost.item())
    angles.append(obs[:, 2].abs().mean().item())
    if t % 10 == 0:
        print("t =", t, " cost = %.4f" % costs[-1], " angle = %.3f" % angles[-1])

print("first ten: ", sum(costs[:10]) / 10)
print("last ten:  ", sum(costs[-10:]) / 10)
print("weights:   ", policy.weight.detach().tolist())

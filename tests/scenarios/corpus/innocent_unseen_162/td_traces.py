# gradwatch-corpus: kind=none
"""Online TD(lambda) with eligibility traces over the gradients of a small value network."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(14)


class Corridor:
    def __init__(self, n=15):
        self.n = n

    def reset(self):
        self.pos = self.n // 2
        return self.encode()

    def encode(self):
        centres = torch.linspace(0, self.n - 1, 8)
        return torch.exp(-((self.pos - centres) / 2) ** 2)

    def step(self, go_right):
        self.pos += 1 if go_right else -1
        done = self.pos <= 0 or self.pos >= self.n - 1
        return self.encode(), float(self.pos >= self.n - 1), done


class TraceLearner:
    def __init__(self, net, alpha=0.05, gamma=0.98, lam=0.8):
        self.net, self.alpha, self.gamma, self.lam = net, alpha, gamma, lam
        self.params = list(net.parameters())
        self.z = None
        self.prev = None
        self.begin(None)

    def begin(self, obs):
        self.z = [torch.zeros_like(p) for p in self.params]
        self.prev = None if obs is None else self.net(obs)

    def learn(self, reward, obs, done):
        value = self.prev
        grads = torch.autograd.grad(value, self.params)
        self.z = [self.gamma * self.lam * z + g for z, g in zip(self.z, grads)]
        with torch.no_grad():
            bootstrap = 0.0 if done else self.net(obs)
            delta = reward + self.gamma * bootstrap - value
            for p, z in zip(self.params, self.z):
                p += self.alpha * delta * z
        self.prev = None if done else self.net(obs)
        return delta


net = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1), nn.Flatten(0))
env = Corridor()
learner = TraceLearner(net)
deltas, steps, episode = [], 0, 0

while steps < 1500:
    obs = env.reset()
    learner.begin(obs)
    done = False
    while not done:
        obs, r, done = env.step(bool(torch.rand(()) < 0.55))
        deltas.append(learner.learn(r, obs, done))
        steps += 1
    episode += 1
    if episode % 10 == 0:
        print(f"episode {episode} steps {steps} |delta| {torch.stack(deltas[-100:]).abs().mean():.4f}")

with torch.no_grad():
    table = []
    for pos in range(1, env.n - 1):
        env.pos = pos
        table.append(round(net(env.encode()).item(), 2))
print(table)

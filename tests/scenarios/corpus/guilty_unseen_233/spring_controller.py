# gradwatch-corpus: kind=graph-chain
# holder: env.pos | env.vel | self.pos | self.vel
# first-bad: 1
# Differentiable mass-spring chain, policy trained through the physics.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
N_MASS = 5
DT = 0.02
STEPS = 80


class MassSpring:
    def __init__(self, n, k=20.0, damping=1.5):
        self.n = n
        self.k = k
        self.damping = damping
        self.rest = 1.0
        self.reset()

    def reset(self):
        self.pos = torch.arange(self.n, dtype=torch.float32) + 0.1 * torch.randn(self.n)
        self.vel = torch.zeros(self.n)
        return self.observe()

    def observe(self):
        return torch.cat([self.pos, self.vel])

    def internal_forces(self):
        d = self.pos[1:] - self.pos[:-1] - self.rest
        f = self.k * d
        left = F.pad(f, (0, 1))
        right = F.pad(f, (1, 0))
        return left - right

    def energy(self):
        d = self.pos[1:] - self.pos[:-1] - self.rest
        return 0.5 * self.k * (d ** 2).sum() + 0.5 * (self.vel ** 2).sum()

    def step(self, u):
        acc = self.internal_forces() - self.damping * self.vel + u
        self.vel = self.vel + DT * acc  # <- culprit
        self.pos = self.pos + DT * self.vel  # <- culprit
        return self.observe()


class Policy(nn.Module):
    def __init__(self, obs_dim, act_dim, hid=24):
        super().__init__()
        self.fc1 = nn.Linear(obs_dim, hid)
        self.fc2 = nn.Linear(hid, act_dim)

    def forward(self, o):
        a = torch.tanh(self.fc1(o))
        return 4.0 * torch.tanh(self.fc2(a))


def sgd_update(params, lr, clip=1.0):
    # plain SGD, norm-clipped
    total = 0.0
    for p in params:
        total += p.grad.data.norm().item() ** 2
    scale = min(1.0, clip / (total ** 0.5 + 1e-8))
    for p in params:
        p.data.add_(p.grad.data, alpha=-lr * scale)
        p.grad = None


env = MassSpring(N_MASS)
policy = Policy(2 * N_MASS, N_MASS)
goal = torch.arange(N_MASS, dtype=torch.float32) + 0.5
params = list(policy.parameters())
obs = env.observe()
costs = []

for it in range(STEPS):
    u = policy(obs)
    obs = env.step(u)
    track = F.mse_loss(env.pos, goal)
    effort = 1e-3 * (u ** 2).sum()
    cost = track + effort + 0.01 * (env.vel ** 2).mean()
    cost.backward(retain_graph=True)  # <- culprit
    sgd_update(params, lr=0.02)
    costs.append(float(cost.detach()))
    if it % 20 == 0:
        print("iter", it, "cost", round(costs[-1], 4))

print("final cost", round(costs[-1], 4), "energy", round(float(env.energy().detach()), 4))

# gradwatch-corpus: kind=graph-chain
# holder: rho
# first-bad: 1
"""Differential TD(0) for a server-admission queue, tile features, continuing task."""
import random

import torch
from torch import nn

SERVERS = 6
PRIORITIES = (1.0, 2.0, 4.0, 8.0)
STEPS = 400
N_STREAMS = 8
ALPHA, BETA = 0.05, 0.01

random.seed(2)
torch.manual_seed(2)


class AccessControl:
    def __init__(self):
        self.free = SERVERS
        self.customer = random.randrange(len(PRIORITIES))

    def act(self):
        accept = self.free > 0 and (self.free > 2 or self.customer >= 2)
        reward = 0.0
        if accept:
            self.free -= 1
            reward = PRIORITIES[self.customer]
        busy = SERVERS - self.free
        self.free += sum(random.random() < 0.06 for _ in range(busy))
        self.customer = random.randrange(len(PRIORITIES))
        return reward

    def features(self):
        x = torch.zeros(SERVERS + 1, len(PRIORITIES))
        x[self.free, self.customer] = 1.0
        if self.free:
            x[self.free - 1, self.customer] = 0.5
        return x.flatten()


def observe(envs):
    return torch.stack([e.features() for e in envs])


envs = [AccessControl() for _ in range(N_STREAMS)]
critic = nn.Linear((SERVERS + 1) * len(PRIORITIES), 1, bias=False)
nn.init.zeros_(critic.weight)
opt = torch.optim.SGD(critic.parameters(), lr=ALPHA)

rho = torch.zeros(())
phi = observe(envs)
reward_total, td_avg = 0.0, 0.0

for step in range(STEPS):
    reward = torch.tensor([e.act() for e in envs])
    phi_next = observe(envs)
    with torch.no_grad():
        v_next = critic(phi_next).squeeze(-1)
    delta = reward - rho + v_next - critic(phi).squeeze(-1)
    loss = 0.5 * delta.square().mean()

    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()

    rho = rho + BETA * delta.mean()  # <- culprit
    phi = phi_next
    reward_total += reward.mean().item()
    td_avg = 0.98 * td_avg + 0.02 * loss.item()
    if (step + 1) % 100 == 0:
        print(f"{step + 1:4d}  td {td_avg:.3f}  rho {rho.item():.3f}  avg {reward_total / (step + 1):.3f}")

with torch.no_grad():
    table = critic.weight.view(SERVERS + 1, len(PRIORITIES))
    print("value by free servers:", [round(v, 2) for v in table.mean(1).tolist()])

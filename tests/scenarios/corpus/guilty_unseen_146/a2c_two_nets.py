# gradwatch-corpus: kind=second-backward
# holder: delta | v
# first-bad: 0
# notice: 0
# one step actor critic, thermostat control
import torch
from torch import nn, optim
torch.set_num_threads(1)
torch.manual_seed(21)

def net(o): return nn.Sequential(nn.Linear(3, 20), nn.ReLU(), nn.Linear(20, o))

class Room():
    def reset(s):
        s.T = 15 + 10*torch.rand(1).item(); s.goal = 21.; s.out = 5.; s.k = 0
        return s.obs()
    def obs(s): return torch.tensor([[s.T/30, s.goal/30, s.out/30]])
    def step(s, a):
        s.T += 0.05*(s.out - s.T) + [0., .8, 1.6][a]; s.k += 1
        return s.obs(), -abs(s.T - s.goal)/10, s.k == 25

actor, critic = net(3), net(1)
optA = optim.Adam(actor.parameters(), lr=1e-3)
optC = optim.Adam(critic.parameters(), lr=1e-2)
gamma = .95
env = Room()

def update(s, a, r, s2, done):
    with torch.no_grad():
        target = r + (0 if done else gamma*critic(s2).squeeze())
    v = critic(s).squeeze()
    delta = target - v
    logp = torch.log_softmax(actor(s), -1)[0, a]

    lossC = delta**2
    lossA = -logp*delta  # <- culprit

    optC.zero_grad(); optA.zero_grad()
    lossC.backward()
    lossA.backward()
    optC.step(); optA.step()
    return lossC.item()

for ep in range(40):
    s = env.reset(); done = False; R = 0
    while not done:
        with torch.no_grad():
            a = torch.distributions.Categorical(logits=actor(s)).sample().item()
        s2, r, done = env.step(a)
        update(s, a, r, s2, done)
        s = s2; R += r
    print(ep, R)

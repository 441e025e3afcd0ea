# gradwatch-corpus: kind=graph-held
# holder: self.frames | recorder.frames | rec.frames | sim.recorder.frames | self.recorder.frames
# first-bad: 1
# notice: 8

# learn to hit the bucket with a catapult through a differentiable simulator
# (school project, v3). Wind is different every shot.
import torch

from sim import CatapultSim, SimConfig
from record import Recorder

torch.set_num_threads(1)
torch.manual_seed(12)

SHOTS = 220
rec = Recorder(every=5)
sim = CatapultSim(SimConfig(), rec)

# the "brain": wind, distance -> angle, power
brain = torch.nn.Sequential(
    torch.nn.Linear(2, 16),
    torch.nn.Tanh(),
    torch.nn.Linear(16, 2),
)
opt = torch.optim.RMSprop(brain.parameters(), lr=0.004)

best = 1e9
misses = []
for shot in range(SHOTS):
    wind = (torch.rand(4) - 0.5) * 4
    dist = 8 + 6 * torch.rand(4)
    o = brain(torch.stack([wind / 2, (dist - 11) / 3], 1))
    angle = 0.4 + 0.8 * torch.sigmoid(o[:, 0])
    power = 8 + 6 * torch.sigmoid(o[:, 1])
    landing = sim.throw(angle, power, wind, shot)
    miss = (landing - dist).pow(2).mean()

    opt.zero_grad()
    miss.backward()
    opt.step()

    m = miss.item() ** 0.5
    misses.append(m)
    if m < best:
        best = m
        print('shot %d new best miss %.2f m' % (shot, m))

print('avg miss first 20: %.2f   last 20: %.2f' % (sum(misses[:20]) / 20, sum(misses[-20:]) / 20))
rec.animate(0)
rec.animate(SHOTS - 1)

# gradwatch-corpus: kind=graph-chain
# holder: self.level | barrel.level | garden.tank.level | self.tank.level
# first-bad: 1
# notice: 5

# raspberry pi garden: learn how many litres to give every 2 hours (12 numbers per bed)
# each iteration = one day. the rain barrel must not run empty.
import random

import torch

from garden import Garden
from tank import RainBarrel

torch.set_num_threads(1)
torch.manual_seed(5)
random.seed(5)

DAYS = 200

barrel = RainBarrel(start=60.0, reserve=15.0)
garden = Garden(beds=3, tank=barrel)
optimizer = torch.optim.Adam(garden.parameters(), lr=0.002)
log = []

for day in range(DAYS):
    rain = random.expovariate(1.0) if random.random() < 0.35 else 0.0
    hot = random.random()
    optimizer.zero_grad()
    dry, penalty = garden.live_one_day(rain, hot)
    loss = dry + 0.0002 * penalty
    loss.backward()
    optimizer.step()
    log.append((dry.item(), float(penalty), float(barrel)))
    if (day + 1) % 25 == 0:
        d, p, l = [sum(v) / 25 for v in zip(*log[-25:])]
        print(f'day {day + 1}: dryness {d:.3f} barrel penalty {p:.3f} mean level {l:.1f} L')

print('schedule bed 0:', ' '.join('%.2f' % v for v in garden.litres[0].tolist()))

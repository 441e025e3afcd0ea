# gradwatch-corpus: kind=none
"""A forklift learns which aisle to serve: replay, n-step returns, a hard-copied target."""
import copy
import random

import torch
import torch.nn.functional as F
from torch import nn

from memory import NStep, Replay
from yard import Yard

torch.set_num_threads(1)
torch.manual_seed(52)
random.seed(52)


class Driver:
    def __init__(self, obs, aisles):
        self.net = nn.Sequential(nn.Linear(obs, 32), nn.ReLU(), nn.Linear(32, aisles))
        self.target = copy.deepcopy(self.net)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.learned = 0

    def act(self, obs, eps):
        q = self.net(obs)
        pick = random.randrange(len(q)) if random.random() < eps else int(q.argmax())
        return pick, q[pick].detach()

    def learn(self, batch):
        obs, pick, ret, last, rank = batch
        with torch.no_grad():
            goal = ret + 0.9 ** 3 * self.target(last).amax(1)
        td = self.net(obs).gather(1, pick[:, None]).squeeze(1) - goal
        loss = (F.softplus(-rank) + 0.5) @ td.pow(2) / len(td)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.learned += 1
        if self.learned % 20 == 0:
            self.target.load_state_dict(self.net.state_dict())
        return loss.detach()


def main():
    yard, driver = Yard(5), None
    obs = yard.reset()
    driver = Driver(len(obs), 5)
    replay, pending, losses = Replay(64), NStep(3, 0.9), []
    for turn in range(160):
        pick, value = driver.act(obs, max(0.1, 1 - turn / 100))
        nxt, reward = yard.serve(pick)
        row = pending.push(obs, pick, reward, value, nxt)
        if row is not None:
            replay.push(row)
        obs = nxt
        if len(replay) >= 32:
            losses.append(driver.learn(replay.sample(24)))
    curve = torch.stack(losses)
    print(f"{len(losses)} updates, td error {curve[:20].mean():.3f} -> {curve[-20:].mean():.3f}")


main()

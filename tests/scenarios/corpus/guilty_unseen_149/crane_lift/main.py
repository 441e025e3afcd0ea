# gradwatch-corpus: kind=graph-chain
# holder: self.weights | self.slow.weights | agent.slow.weights
# first-bad: 1
# notice: 5
"""Q-learning for a harbour crane: swing-free lifting of containers."""
import random
from collections import deque

import torch
import torch.nn.functional as F

from crane import Crane
from nets import QNet, SlowCopy

torch.set_num_threads(1)
torch.manual_seed(23)
random.seed(23)


class Agent:
    def __init__(self, obs_dim, moves, gamma=0.95):
        self.moves, self.gamma = moves, gamma
        self.net = QNet(obs_dim, moves)
        self.slow = SlowCopy(self.net, rate=0.02)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.memory = deque(maxlen=500)

    @torch.no_grad()
    def choose(self, obs, eps):
        if random.random() < eps:
            return random.randrange(self.moves)
        return int(self.net(obs[None]).argmax())

    def learn(self, k=24):
        obs, move, reward, nxt, done = map(torch.stack, zip(*random.sample(self.memory, k)))
        q = self.net(obs).gather(1, move[:, None]).squeeze(1)
        best = self.slow(nxt).amax(1)
        goal = reward + self.gamma * best * (1 - done)
        loss = F.smooth_l1_loss(q, goal)
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()
        self.slow.follow(self.net)
        return loss.item()


def main():
    crane = Crane()
    agent = Agent(4, 3)
    obs, score = crane.reset(), 0.0
    for turn in range(130):
        move = agent.choose(obs, eps=max(0.1, 1 - turn / 80))
        nxt, reward, done = crane.step(move)
        agent.memory.append((obs, torch.tensor(move), torch.tensor(reward), nxt, torch.tensor(float(done))))
        obs = crane.reset() if done else nxt
        score += reward
        if len(agent.memory) >= 40:
            loss = agent.learn()
            if turn % 15 == 0:
                print(f"turn {turn:3d} score {score:7.2f} td {loss:.4f}")


main()

# gradwatch-corpus: kind=memory-climb
# holder: self.heap | buffer.heap | agent.buffer.heap | self.buffer.heap
# first-bad: 8
"""DQN on a falling-ball pixel game with prioritised replay; 16 environments in lock step."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

from catch_env import VecCatch
from replay import PrioritisedReplay, Transition


class QNet(nn.Module):
    def __init__(self, actions=3):
        super().__init__()
        self.net = nn.Sequential(nn.AvgPool2d(4), nn.Flatten(), nn.Linear(16 * 16, 64), nn.ReLU(), nn.Linear(64, actions))

    def forward(self, frames):
        return self.net(frames.unsqueeze(1))


class Agent:
    def __init__(self, buffer, gamma=0.95, lr=1e-3, sync=50):
        self.q = QNet()
        self.target = copy.deepcopy(self.q).requires_grad_(False)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=lr)
        self.buffer, self.gamma, self.sync = buffer, gamma, sync
        self.updates = 0

    @torch.no_grad()
    def act(self, frames, eps):
        greedy = self.q(frames).argmax(1)
        rnd = torch.randint(3, greedy.shape)
        return torch.where(torch.rand(greedy.shape) < eps, rnd, greedy)

    def learn(self, batch_size=32):
        batch = self.buffer.top(batch_size)
        s, a, r, s2, done = (torch.stack(col) for col in zip(*batch))
        with torch.no_grad():
            best = self.target(s2).max(1).values
            goal = r + self.gamma * best * (1 - done)
        q = self.q(s).gather(1, a[:, None]).squeeze(1)
        td = goal - q
        loss = F.huber_loss(q, goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.updates += 1
        if self.updates % self.sync == 0:
            self.target.load_state_dict(self.q.state_dict())
        for item, err in zip(batch, td.abs().tolist()):
            self.buffer.add(item, err * 0.5, fresh=False)
        return loss.item()


def main(iterations=240):
    torch.manual_seed(21)
    env = VecCatch(16, size=64)
    agent = Agent(PrioritisedReplay(capacity=128))
    frames = env.reset()
    score = 0.0
    for it in range(iterations):
        eps = max(0.05, 1 - it / 150)
        actions = agent.act(frames, eps)
        nxt, reward, done = env.step(actions)
        for k in range(len(frames)):
            item = Transition(frames[k].clone(), actions[k], reward[k], nxt[k].clone(), done[k])
            agent.buffer.add(item, priority=1.0 + reward[k].abs().item())
        frames = nxt
        score += reward.sum().item()
        loss = agent.learn()
        if it % 60 == 59:
            print(f"it {it + 1} eps {eps:.2f} reward/60 {score:.1f} loss {loss:.4f} stored {len(agent.buffer)}")
            score = 0.0


if __name__ == "__main__":
    main()

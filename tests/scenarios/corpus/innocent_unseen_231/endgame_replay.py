# gradwatch-corpus: kind=none
"""King and pawn race: learn who promotes first with TD(0) and a replay memory."""
import random
from collections import deque, namedtuple

import torch
import torch.nn as nn

Move = namedtuple("Move", ["pos", "value", "reward", "nxt", "done"])


class ReplayMemory(object):
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        self.memory.append(Move(*args))

    def sample(self, n):
        return random.sample(self.memory, n)

    def __len__(self):
        return len(self.memory)


class ValueNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer1 = nn.Linear(5, 48)
        self.layer2 = nn.Linear(48, 48)
        self.layer3 = nn.Linear(48, 1)

    def forward(self, x):
        x = torch.relu(self.layer1(x))
        x = torch.relu(self.layer2(x))
        return torch.tanh(self.layer3(x)).squeeze(-1)


class Game:
    def start(self):
        self.white = random.randint(1, 4)
        self.black = random.randint(1, 4)
        self.king_w = random.random()
        self.king_b = random.random()
        self.turn = 1
        return self.view()

    def view(self):
        return torch.tensor([self.white / 7, self.black / 7, self.king_w, self.king_b, float(self.turn)])

    def play(self):
        if self.turn == 1:
            self.white += 1 if random.random() < 0.5 + 0.5 * self.king_w else 0
        else:
            self.black += 1 if random.random() < 0.5 + 0.5 * self.king_b else 0
        self.turn = -self.turn
        if self.white >= 7:
            return self.view(), 1.0, True
        if self.black >= 7:
            return self.view(), -1.0, True
        return self.view(), 0.0, False


def main():
    random.seed(64)
    torch.manual_seed(64)
    net = ValueNet()
    target = ValueNet()
    target.load_state_dict(net.state_dict())
    optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3, amsgrad=True)
    memory = ReplayMemory(400)
    game = Game()
    pos = game.start()
    surprise = []
    for step in range(200):
        for _ in range(4):
            with torch.no_grad():
                value = net(pos)
            nxt, reward, done = game.play()
            memory.push(pos, value, reward, nxt, done)
            pos = game.start() if done else nxt
        if len(memory) < 40:
            continue
        moves = memory.sample(32)
        batch = Move(*zip(*moves))
        old = torch.stack(batch.value)
        reward = torch.tensor(batch.reward)
        done = torch.tensor(batch.done)
        with torch.no_grad():
            goal = torch.where(done, reward, target(torch.stack(batch.nxt)))
        now = net(torch.stack(batch.pos))
        clipped = old + (now - old).clamp(-0.3, 0.3)
        loss = torch.max((now - goal) ** 2, (clipped - goal) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        surprise.append((now - old).abs().mean().item())
        if step % 25 == 0:
            target.load_state_dict(net.state_dict())
            print(f"step {step} loss {loss.item():.4f} moved {surprise[-1]:.3f}")


if __name__ == "__main__":
    main()

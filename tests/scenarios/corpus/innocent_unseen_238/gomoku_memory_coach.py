# gradwatch-corpus: kind=none
"""Connect-four-in-a-row on 6x6. Replay of finished games, micro batches because my laptop is slow, lagged rival."""
import copy
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(15)
random.seed(15)

S = 6
GOAL = 4
GAMES = 24
MICRO = 4
UPDATES = 3


def winning_line(cells, last, who):
    r, c = divmod(last, S)
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        n = 1
        for sign in (1, -1):
            y, x = r + sign * dr, c + sign * dc
            while 0 <= y < S and 0 <= x < S and cells[y * S + x] == who:
                n += 1
                y += sign * dr
                x += sign * dc
        if n >= GOAL:
            return True
    return False


class Brain(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(2, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 8, 3, padding=1), nn.ReLU(), nn.Flatten())
        self.move = nn.Linear(8 * S * S, S * S)
        self.judge = nn.Linear(8 * S * S, 1)

    def forward(self, x):
        h = self.body(x)
        return self.move(h), torch.tanh(self.judge(h))[:, 0]


class Coach:
    def __init__(self):
        self.brain = Brain()
        self.rival = copy.deepcopy(self.brain)
        self.opt = torch.optim.Adam(self.brain.parameters(), lr=2e-3)
        self.memory = deque(maxlen=600)
        self.loss_log = []
        self.wins = 0
        self.running = 0.0

    def view(self, cells, who):
        t = torch.tensor(cells, dtype=torch.float32).view(S, S)
        return torch.stack([(t == who).float(), (t == -who).float()])

    def choose(self, net, cells, who):
        free = [i for i, v in enumerate(cells) if v == 0]
        logits, value = net(self.view(cells, who)[None])
        probs = F.softmax(logits[0, free], 0)
        k = int(torch.multinomial(probs, 1))
        return free[k], value.squeeze(0)

    @torch.no_grad()
    def play(self, coach_side):
        cells = [0] * (S * S)
        steps = []
        who, winner = 1, 0
        while 0 in cells:
            net = self.brain if who == coach_side else self.rival
            move, value = self.choose(net, cells, who)
            steps.append((self.view(cells, who), move, who, value))
            cells[move] = who
            if winning_line(cells, move, who):
                winner = who
                break
            who = -who
        for view, move, side, value in steps:
            self.memory.append((view, move, float(winner * side), value))
        return winner == coach_side

    def study(self):
        self.opt.zero_grad(set_to_none=True)
        total = 0.0
        for _ in range(MICRO):
            batch = random.sample(self.memory, min(16, len(self.memory)))
            views = torch.stack([b[0] for b in batch])
            moves = torch.tensor([b[1] for b in batch])
            ends = torch.tensor([b[2] for b in batch])
            old = torch.stack([b[3] for b in batch])
            logits, values = self.brain(views)
            logp = F.log_softmax(logits, 1).gather(1, moves[:, None])[:, 0]
            loss = F.mse_loss(values, ends) - ((ends - old) * logp).mean() * 0.5
            (loss / MICRO).backward()
            total = total + loss.detach() / MICRO
        self.opt.step()
        self.running = 0.9 * self.running + 0.1 * total
        self.loss_log.append(total.item())


coach = Coach()
for game in range(GAMES):
    coach.wins += coach.play(1 if game % 2 == 0 else -1)
    for _ in range(UPDATES):
        coach.study()
    if game % 8 == 7:
        coach.rival.load_state_dict(coach.brain.state_dict())
        print(f"game {game} wins {coach.wins} memory {len(coach.memory)} loss {coach.loss_log[-1]:.3f} running {float(coach.running):.3f}")

# gradwatch-corpus: kind=graph-held
# holder: self.book["value"] | agent.book["value"] | self.book | agent.book
# first-bad: 1
"""Baby go on a 5x5 board (no ko, no suicide check), policy + value net, plays itself move by move."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(5)
random.seed(5)

SIZE = 5
MOVES = SIZE * SIZE
GAMES = 70


class Board:
    def __init__(self):
        self.grid = [[0] * SIZE for _ in range(SIZE)]
        self.turn = 1

    def free(self):
        return [r * SIZE + c for r in range(SIZE) for c in range(SIZE) if self.grid[r][c] == 0]

    def group(self, r, c):
        colour = self.grid[r][c]
        stack = [(r, c)]
        seen = set()
        liberties = 0
        while stack:
            y, x = stack.pop()
            if (y, x) in seen:
                continue
            seen.add((y, x))
            for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                ny, nx = y + dy, x + dx
                if 0 <= ny < SIZE and 0 <= nx < SIZE:
                    if self.grid[ny][nx] == 0:
                        liberties += 1
                    elif self.grid[ny][nx] == colour:
                        stack.append((ny, nx))
        return seen, liberties

    def play(self, move):
        r, c = divmod(move, SIZE)
        self.grid[r][c] = self.turn
        for y in range(SIZE):
            for x in range(SIZE):
                if self.grid[y][x] == -self.turn:
                    stones, libs = self.group(y, x)
                    if libs == 0:
                        for sy, sx in stones:
                            self.grid[sy][sx] = 0
        self.turn = -self.turn

    def planes(self):
        g = torch.tensor(self.grid, dtype=torch.float32) * self.turn
        return torch.stack([(g == 1).float(), (g == -1).float(), (g == 0).float()])

    def winner(self):
        total = sum(sum(row) for row in self.grid)
        return 1 if total > 0 else -1


class GoAgent(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv2d(3, 16, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(16, 16, 3, padding=1),
            nn.ReLU(),
            nn.Flatten(),
        )
        self.policy = nn.Linear(16 * MOVES, MOVES)
        self.value = nn.Linear(16 * MOVES, 1)
        self.book = {"winner": [], "value": [], "length": []}

    def forward(self, boards):
        h = self.trunk(boards)
        return self.policy(h), torch.tanh(self.value(h)).squeeze(-1)

    def write_down(self, winner, values, length):
        self.book["winner"].append(winner)
        self.book["value"].append(values.mean())  # <- culprit
        self.book["length"].append(length)

    def optimism(self):
        recent = self.book["value"][-10:]
        return sum(v.item() for v in recent) / len(recent)


def self_play(agent, n_moves=16):
    board = Board()
    states, moves, colours = [], [], []
    for _ in range(n_moves):
        free = board.free()
        if not free:
            break
        planes = board.planes()
        with torch.no_grad():
            logits, _ = agent(planes.unsqueeze(0))
        probs = F.softmax(logits[0, free], dim=0)
        move = free[int(torch.multinomial(probs, 1))]
        states.append(planes)
        moves.append(move)
        colours.append(board.turn)
        board.play(move)
    return torch.stack(states), torch.tensor(moves), colours, board.winner()


agent = GoAgent()
opt = torch.optim.Adam(agent.parameters(), lr=2e-3)

for game in range(GAMES):
    states, moves, colours, winner = self_play(agent)
    outcome = torch.tensor([float(winner * c) for c in colours])

    logits, values = agent(states)
    edge = outcome - values.detach()
    logp = F.log_softmax(logits, dim=1).gather(1, moves[:, None]).squeeze(1)
    loss = -(edge * logp).mean() + F.mse_loss(values, outcome)

    opt.zero_grad()
    loss.backward()
    opt.step()

    agent.write_down(winner, values, len(moves))
    if game % 14 == 0:
        print(f"game {game} loss {loss.item():.3f} optimism {agent.optimism():+.3f}")

print("black won", agent.book["winner"].count(1), "of", GAMES)

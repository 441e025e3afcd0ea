# gradwatch-corpus: kind=second-backward
# holder: self.slots | memory.slots
# first-bad: 20
import torch
import torch.nn as nn
import torch.nn.functional as F

from bank import OpeningMemory
from games import N_MOVES
from games import N_OPENINGS
from games import stream


class GameModel(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.moves = nn.Embedding(N_MOVES, dim)
        self.enc = nn.GRU(dim, dim, batch_first=True)
        self.head = nn.Sequential(nn.Linear(2 * dim + 1, 32), nn.ReLU(), nn.Linear(32, 1))

    def encode(self, moves):
        _, h = self.enc(self.moves(moves).unsqueeze(0))
        return h[-1, 0]

    def forward(self, code, remembered, skill):
        return self.head(torch.cat([code, remembered, skill]))


def train(n_games=150):
    torch.manual_seed(9)
    model = GameModel()
    memory = OpeningMemory(N_OPENINGS, 24)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    right = 0
    for i, (opening, moves, skill, result) in enumerate(stream(n_games, seed=9)):
        code = model.encode(moves)
        remembered = memory.read(opening)
        logit = model(code, remembered, skill)
        loss = F.binary_cross_entropy_with_logits(logit, result)
        opt.zero_grad()
        loss.backward()
        opt.step()
        memory.write(opening, code)  # <- culprit
        right += int((logit.item() > 0) == bool(result.item()))
        if i % 25 == 24:
            print("games", i + 1, "accuracy", right / (i + 1), "openings seen", len(memory))


if __name__ == "__main__":
    train()

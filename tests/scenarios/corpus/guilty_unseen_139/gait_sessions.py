# gradwatch-corpus: kind=second-backward
# holder: learner.memory | self.memory | self.memory[patient] | learner.memory[patient]
# first-bad: 41
# notice: 0
# Step length from an ankle-worn sensor: patients' sessions arrive in pieces, each piece is learnt from at once.
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(12)


class Piece:
    __slots__ = ("patient", "accel", "stride", "last")

    def __init__(self, patient, length, last):
        self.patient, self.last = patient, last
        self.accel = torch.randn(length, 1, 3)
        self.stride = 0.5 * self.accel[..., 0] + 0.2 * self.accel[..., 2].roll(1, 0)


class PieceSource:
    """The clinic's first visits fit into one piece; follow-up visits need more."""

    def __init__(self, first_visits, follow_ups):
        self.first_visits, self.follow_ups = first_visits, follow_ups

    def __iter__(self):
        for p in range(self.first_visits):
            yield Piece(p, 10, last=True)
        for p in range(self.follow_ups):
            for part in range(4):
                yield Piece(p, 10, last=part == 3)


class GaitLearner(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.lstm = nn.LSTM(3, width)
        self.head = nn.Linear(width, 1)
        self.memory = {}
        self.opt = torch.optim.Adam(self.parameters(), lr=5e-3)

    def forward(self, piece):
        z, carry = self.lstm(piece.accel, self.memory.get(piece.patient))
        if piece.last:
            self.memory.pop(piece.patient, None)
        else:
            self.memory[piece.patient] = carry  # <- culprit
        return self.head(z).squeeze(-1)

    def learn(self, piece):
        loss = nn.functional.mse_loss(self(piece), piece.stride)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return float(loss.detach())


learner = GaitLearner()
for n, piece in enumerate(PieceSource(40, 60)):
    loss = learner.learn(piece)
    if n % 10 == 0:
        print(n, piece.patient, round(loss, 4))

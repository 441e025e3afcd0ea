# gradwatch-corpus: kind=none
"""Next-bell model for carillon melodies, chunked sequences, state handed on between chunks."""
import torch
import torch.nn as nn

torch.set_num_threads(1)

BELLS = 12


def melody(length, g):
    pattern = torch.tensor([0, 4, 7, 11, 7, 4, 2, 5])
    notes = pattern.repeat(length // 8 + 1)[:length]
    slip = torch.rand(length, generator=g) < 0.1
    return torch.where(slip, torch.randint(0, BELLS, (length,), generator=g), notes)


class Ringer(nn.Module):
    def __init__(self, dim=14):
        super().__init__()
        self.bell = nn.Embedding(BELLS, 8)
        self.lstm = nn.LSTM(8, dim, batch_first=True)
        self.out = nn.Linear(dim, BELLS)

    def forward(self, notes, state=None):
        y, state = self.lstm(self.bell(notes), state)
        return self.out(y), state


def repackage(state):
    return tuple(s.detach() for s in state)


def main():
    torch.manual_seed(10)
    g = torch.Generator().manual_seed(10)
    voices = torch.stack([melody(4001, g) for _ in range(4)])
    model, ce = Ringer(), nn.CrossEntropyLoss()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    log = []
    for lap in range(8):
        state = None
        for a in range(0, 4000, 10):
            src, tgt = voices[:, a:a + 10], voices[:, a + 1:a + 11]
            if state is not None:
                state = repackage(state)
            scores, state = model(src, state)
            loss = ce(scores.flatten(0, 1), tgt.flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            log.append(loss.item())
        print(lap, sum(log[-400:]) / 400)


main()

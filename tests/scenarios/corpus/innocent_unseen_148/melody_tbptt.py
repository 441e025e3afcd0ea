# gradwatch-corpus: kind=none
"""LSTM over a long melody, truncated backprop: the state is cut every fourth window."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(3)


class MelodyLSTM(nn.Module):
    def __init__(self, pitches=24, dim=32):
        super().__init__()
        self.emb = nn.Embedding(pitches, dim)
        self.lstm = nn.LSTM(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, pitches)

    def forward(self, x, state=None):
        y, state = self.lstm(self.emb(x), state)
        return self.out(y), state


def cut(state):
    return tuple(s.detach() for s in state)


def melodies(batch, length):
    scale = torch.tensor([0, 2, 4, 5, 7, 9, 11, 12])
    steps = torch.randint(-1, 2, (batch, length)).cumsum(1) % 8
    return scale[steps] + torch.randint(0, 2, (batch, 1)) * 11


class TBPTT:
    def __init__(self, model, opt, window=6, span=4):
        self.model, self.opt = model, opt
        self.window, self.span = window, span
        self.state, self.pending, self.log = None, [], []

    def feed(self, x, y):
        logits, self.state = self.model(x, self.state)
        self.pending.append(nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten()))
        if len(self.pending) == self.span:
            self.flush()

    def flush(self):
        loss = torch.stack(self.pending).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.state = cut(self.state)
        self.pending.clear()
        self.log.append(loss.item())


def main():
    model = MelodyLSTM()
    run = TBPTT(model, torch.optim.Adam(model.parameters(), lr=5e-3))
    for piece in range(5):
        notes = melodies(6, 24 * 20 + 1)
        run.state = None
        for i in range(0, notes.size(1) - run.window, run.window):
            run.feed(notes[:, i : i + run.window], notes[:, i + 1 : i + run.window + 1])
        print(f"piece {piece}: {len(run.log)} updates, loss {sum(run.log[-10:]) / 10:.3f}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
import queue
import threading

import torch
from torch import nn

SENTENCE = "seven slow ships sail south past the silent stone harbour while gulls shout "


def detached(state):
    return tuple(detached(s) for s in state) if isinstance(state, tuple) else state.detach()


def conversation(model):
    """Coroutine: send (tokens, targets), get the loss; the state stays in here."""
    state = None
    loss = None
    while True:
        tokens, targets = yield loss
        logits, state = model(tokens, state and detached(state))
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())


class CharLSTM(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.lstm = nn.LSTM(dim, dim)
        self.out = nn.Linear(dim, vocab)

    def forward(self, tokens, state):
        y, state = self.lstm(self.embed(tokens), state)
        return self.out(y), state


class Scribe(threading.Thread):
    """Keeps the curve away from the training loop."""

    def __init__(self):
        super().__init__(daemon=True)
        self.slips = queue.Queue()
        self.curve = []

    def write(self, step, **tensors):
        self.slips.put((step, {k: v.detach() for k, v in tensors.items()}))

    def run(self):
        while (slip := self.slips.get()) is not None:
            self.curve.append(slip)

    def finish(self):
        self.slips.put(None)
        self.join()
        return self.curve


def chunks(length=16, lanes=8, count=80):
    text = SENTENCE * 150
    letters = sorted(set(text))
    codes = torch.tensor([letters.index(c) for c in text])
    codes = codes[: len(codes) // lanes * lanes].view(lanes, -1).t()
    for i in range(count):
        a = i * length
        yield codes[a:a + length], codes[a + 1:a + length + 1]


def main():
    torch.manual_seed(33)
    model = CharLSTM(len(set(SENTENCE)), 40)
    opt = torch.optim.RMSprop(model.parameters(), lr=3e-3)
    scribe = Scribe()
    scribe.start()
    talk = conversation(model)
    next(talk)
    for step, pair in enumerate(chunks()):
        loss = talk.send(pair)
        opt.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        scribe.write(step, loss=loss, norm=norm)
    curve = scribe.finish()
    for step, row in curve[::20]:
        print(f"step {step}: loss {row['loss'].item():.4f} grad norm {row['norm'].item():.3f}")


if __name__ == "__main__":
    main()

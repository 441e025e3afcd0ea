# gradwatch-corpus: kind=none
"""Character GRU on a generated fairy tale, trained in slices along parallel tracks of the text.
The state runs through each track from slice to slice; retries and meters are the same as in our big language model runs."""
import torch
import torch.nn.functional as F
from torch import nn

from carry import Carry
from meter import MeterThread
from text import Tale, tracks


class CharGRU(nn.Module):
    def __init__(self, vocab, hidden=48, layers=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, hidden)
        self.rnn = nn.GRU(hidden, hidden, num_layers=layers)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, tokens, state):
        h, state = self.rnn(self.embed(tokens), state)
        return self.out(h), state


class Trainer:
    def __init__(self, model, carry, meter):
        self.model, self.carry, self.meter = model, carry, meter
        self.opt = torch.optim.Adam(model.parameters(), lr=4e-3)
        self.last = None

    def slice_loss(self, tokens):
        logits, state = self.model(tokens[:-1], self.carry.state)
        self.carry.propose(state)
        return F.cross_entropy(logits.flatten(0, 1), tokens[1:].flatten())

    def step(self, number, tokens):
        loss = self.slice_loss(tokens)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.carry.commit()
        self.last = {"step": number, "loss": loss.detach()}
        self.meter.put(number, loss.item())


def sample(model, tale, length=60):
    token, state, out = torch.zeros(1, 1, dtype=torch.long), None, []
    with torch.inference_mode():
        for _ in range(length):
            logits, state = model(token, state)
            token = torch.multinomial(logits[-1].softmax(-1), 1)
            out.append(token.item())
    return tale.decode(out)


def main(epochs=4):
    torch.manual_seed(33)
    torch.set_num_threads(1)
    tale = Tale(sentences=700, seed=34)
    model = CharGRU(tale.vocab)
    carry = Carry(layers=2, batch=16, hidden=48)
    with MeterThread(keep=50) as meter:
        trainer = Trainer(model, carry, meter)
        number = 0
        for epoch in range(epochs):
            carry.reset()
            for tokens in tracks(tale.encoded(), batch=16, width=20):
                trainer.step(number, tokens)
                number += 1
        print(f"{number} slices, last {trainer.last['loss'].item():.3f}")
    print(f"mean of the last slices {meter.mean():.3f}")
    print(sample(model, tale))


if __name__ == "__main__":
    main()

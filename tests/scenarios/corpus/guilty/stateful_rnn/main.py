# gradwatch-corpus: kind=second-backward
# holder: self._states[name] | self._states | self.state | store._states | model.store._states
# holder: self._states["rnn"] | self.store._states | self.store._states["rnn"]
# holder: model.store._states["rnn"] | model.state._states | model.state._states["rnn"]
# holder: self.state._states | self.state._states["rnn"]
# first-bad: 1
# about: the hidden state goes through a store in a helper module
import torch
from textgen.data import character_windows
from textgen.model import CharModel

TEXT = "the quick brown fox jumps over the lazy dog and runs away from the angry bear " * 30


def main():
    torch.manual_seed(0)
    vocab = sorted(set(TEXT))
    model = CharModel(len(vocab))
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for step, (x, y) in enumerate(character_windows(TEXT, vocab, length=25, batch=2)):
        loss = torch.nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step == 60:
            break


if __name__ == "__main__":
    main()

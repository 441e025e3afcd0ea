# gradwatch-corpus: kind=second-backward
# holder: hidden | source.gi_frame.f_locals["hidden"] | source
# first-bad: 1
"""Character model on an endless stream; each chunk goes on where the last one stopped."""
from dataclasses import dataclass

import torch
from torch import nn

TEXT = (
    "the tide comes in and the tide goes out and the boats lie down on the mud "
    "until the tide comes back to lift the boats and the men sing as they row "
) * 40


@dataclass
class Chunk:
    logits: torch.Tensor
    targets: torch.Tensor
    position: int

    @property
    def loss(self):
        return nn.functional.cross_entropy(self.logits.flatten(0, 1), self.targets.flatten())


class CharModel(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim)
        self.head = nn.Linear(dim, vocab)

    def forward(self, tokens, hidden=None):
        out, hidden = self.rnn(self.embed(tokens), hidden)
        return self.head(out), hidden


def lanes(text, width):
    alphabet = {c: i for i, c in enumerate(sorted(set(text)))}
    codes = torch.tensor([alphabet[c] for c in text])
    usable = len(codes) // width * width
    return codes[:usable].view(width, -1).t().contiguous(), alphabet


def unroll(model, codes, chunk):
    """Yields one Chunk after another, with the recurrent state carried along."""
    hidden = None
    for start in range(0, len(codes) - chunk - 1, chunk):
        tokens = codes[start:start + chunk]
        targets = codes[start + 1:start + chunk + 1]
        logits, hidden = model(tokens, hidden)  # <- culprit
        yield Chunk(logits, targets, start)


class StreamTrainer:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.curve = []

    def update(self, chunk):
        loss = chunk.loss
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.curve.append(loss.item())

    def run(self, source, report_every):
        for n, chunk in enumerate(source):
            self.update(chunk)
            if n % report_every == 0:
                print(f"pos {chunk.position:5d}  nll {self.curve[-1]:.4f}")


def main():
    torch.manual_seed(5)
    codes, alphabet = lanes(TEXT, width=10)
    model = CharModel(len(alphabet), 32)
    trainer = StreamTrainer(model, lr=5e-3)
    for epoch in range(3):
        print("epoch", epoch)
        trainer.run(unroll(model, codes, chunk=20), report_every=10)


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
import torch

from model import ChordNet
from synth import chords
from taps import TapRegistry


def main():
    torch.set_num_threads(1)
    torch.manual_seed(33)
    model = ChordNet(n_mel=16, hidden=20, n_chords=7)
    taps = TapRegistry(depth=30)
    taps.attach(model, "conv", "lstm", "logits")
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    stream = chords(n_mel=16, n_chords=7, seed=34)
    for step in range(390):
        x, y = next(stream)
        loss = torch.nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 65 == 64:
            print(f"step {step + 1} loss {loss.item():.3f}")
            for line in taps.lines():
                print("   ", line)


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
# about: the recurrent state is carried from chunk to chunk and looks uncut, but the setter of the property stores it detached; __getstate__/__setstate__ do so too
"""Character model on an endless synthetic log file, with truncated BPTT and a stop-and-resume in the middle."""
import io
import pickle

import torch
from stream import LogText
from tagger import StreamModel


def make(cfg):
    torch.manual_seed(cfg["seed"])
    m = StreamModel(cfg["vocab"], cfg["hidden"])
    return m, torch.optim.RMSprop(m.parameters(), lr=cfg["lr"])


def advance(model, opt, feed, n, first):
    total = 0.0
    for i in range(first, first + n):
        x, y = next(feed)
        out, model.state = model(x, model.state)
        bits = torch.nn.functional.cross_entropy(out.flatten(0, 1), y.flatten()) / 0.6931
        opt.zero_grad()
        bits.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        total += bits.item()
        if (i + 1) % 40 == 0:
            print(f"chunk {i + 1}: {total / 40:.3f} bits/char, state norm {model.state[0].norm():.2f}")
            total = 0.0
    return first + n


def main():
    cfg = dict(seed=12, vocab=LogText.size(), hidden=64, lr=2e-3)
    feed = iter(LogText(rows=8, chunk=20, seed=12))
    model, opt = make(cfg)
    at = advance(model, opt, feed, 160, 0)
    disk = io.BytesIO()
    pickle.dump((model, opt.state_dict()), disk)
    disk.seek(0)
    print("interrupted at", at, "- resuming from", len(disk.getvalue()) // 1024, "kB")
    model, saved = pickle.load(disk)
    opt = torch.optim.RMSprop(model.parameters(), lr=cfg["lr"])
    opt.load_state_dict(saved)
    advance(model, opt, feed, 160, at)


if __name__ == "__main__":
    main()

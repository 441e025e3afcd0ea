# gradwatch-corpus: kind=none
# about: stateful truncated BPTT; the carried LSTM states live in a dict over all streams, but are cut on leaving the context manager (singledispatch over nested containers)
"""Next-hit prediction for drum loops, several long streams trained in turns, state carried within each."""
import itertools

import torch
import torch.nn.functional as F

from carry import StateBook
from drums import PADS, endless_loop
from net import DrumNet


def rotate(streams, span):
    while True:
        for name, s in streams.items():
            yield name, torch.stack(list(itertools.islice(s, span + 1)))


def main(iterations=330, span=12):
    torch.manual_seed(29)
    net = DrumNet(PADS)
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    streams = {style: endless_loop(style, lanes=8, seed=k) for k, style in enumerate(("rock", "samba", "waltz"))}
    book = StateBook(net.blank)
    running = {}
    for it, (name, chunk) in zip(range(iterations), rotate(streams, span)):
        with book.open(name, lanes=8) as page:
            hits, page.state = net(chunk[:-1], page.state)
            loss = F.binary_cross_entropy_with_logits(hits, chunk[1:])
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        running[name] = 0.9 * running.get(name, loss.item()) + 0.1 * loss.item()
        if it % 45 == 44:
            print(it + 1, "  ".join(f"{k} {v:.4f}" for k, v in running.items()), f"norm {book.norm():.2f}")


if __name__ == "__main__":
    main()

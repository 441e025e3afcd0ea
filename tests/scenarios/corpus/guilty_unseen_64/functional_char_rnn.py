# gradwatch-corpus: kind=graph-chain
# holder: self.carry.h | stream.carry.h
# first-bad: 1
# notice: 5
"""A character RNN in functional style: parameters in a dict, the update a pure function."""
import argparse
from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F

TEXT = ("the agent took the left path and the critic took the right path; "
        "the reward was late, as rewards are. ") * 20
CHARS = sorted(set(TEXT))


@dataclass(frozen=True)
class Carry:
    """What passes from one chunk to the next."""
    h: torch.Tensor
    pos: int


def init_params(vocab, width, seed):
    g = torch.Generator().manual_seed(seed)

    def mat(*shape):
        return (torch.randn(*shape, generator=g) / shape[0] ** 0.5).requires_grad_()

    return {"wx": mat(vocab, width), "wh": mat(width, width), "b": torch.zeros(width, requires_grad=True),
            "wo": mat(width, vocab), "bo": torch.zeros(vocab, requires_grad=True)}


def unroll(params, h, tokens):
    """tokens: (T, B) -> logits (T, B, V) and the last state."""
    out = []
    for tok in tokens:
        h = torch.tanh(params["wx"][tok] + h @ params["wh"] + params["b"])
        out.append(h @ params["wo"] + params["bo"])
    return torch.stack(out), h


def sgd(lr, clip):
    """Gives update(params, grads) -> new params, leaving the old ones as they are."""
    def update(params, grads):
        norm = torch.sqrt(sum((g ** 2).sum() for g in grads))
        factor = lr * min(1.0, clip / (norm.item() + 1e-8))
        return {k: (p.detach() - factor * g).requires_grad_() for (k, p), g in zip(params.items(), grads)}
    return update


class Stream:
    """Parallel cursors in the text, that go on where the last chunk ended."""

    def __init__(self, data, batch, chunk, width):
        usable = len(data) // batch
        self.data = data[:usable * batch].view(batch, usable).t()
        self.chunk = chunk
        self.carry = Carry(torch.zeros(batch, width), 0)

    def next_chunk(self):
        pos = self.carry.pos
        if pos + self.chunk + 1 > self.data.shape[0]:
            pos = 0
        window = self.data[pos:pos + self.chunk + 1]
        self.carry = replace(self.carry, pos=pos + self.chunk)
        return window[:-1], window[1:]


def make_train_step(update):
    def train_step(params, stream):
        x, y = stream.next_chunk()
        logits, h = unroll(params, stream.carry.h, x)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        grads = torch.autograd.grad(loss, list(params.values()))
        stream.carry = replace(stream.carry, h=h)  # <- culprit
        return update(params, grads), loss.item()
    return train_step


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=120)
    ap.add_argument("--batch", type=int, default=8)
    ap.add_argument("--chunk", type=int, default=6)
    ap.add_argument("--width", type=int, default=24)
    args = ap.parse_args()
    torch.set_num_threads(1)
    data = torch.tensor([CHARS.index(c) for c in TEXT])
    params = init_params(len(CHARS), args.width, seed=0)
    stream = Stream(data, args.batch, args.chunk, args.width)
    train_step = make_train_step(sgd(lr=0.5, clip=1.0))
    mean = None
    for it in range(args.iters):
        params, loss = train_step(params, stream)
        mean = loss if mean is None else 0.9 * mean + 0.1 * loss
        if it % 30 == 0:
            print(f"{it:4d} loss {loss:.3f} mean {mean:.3f}")
    print("done", round(mean, 3))


if __name__ == "__main__":
    main()

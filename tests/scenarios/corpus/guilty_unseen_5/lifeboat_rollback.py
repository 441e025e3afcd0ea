# gradwatch-corpus: kind=memory-climb
# holder: self.boats | lifeboat.boats
# first-bad: 8
"""
Character model of assembler listings with loss-spike protection: keep the last few weights,
and go back to an older set when the loss jumps.
"""
import math
import string

import torch
from torch import nn

ALPHABET = string.ascii_lowercase + string.digits + " ,[]+-#\n"
INDEX = {c: i for i, c in enumerate(ALPHABET)}
OPS = ["mov", "add", "sub", "ldr", "str", "cmp", "bne", "mul", "eor"]


def listing(lines, gen):
    def pick(n):
        return int(torch.randint(0, n, (1,), generator=gen))

    out = []
    for _ in range(lines):
        op = OPS[pick(len(OPS))]
        if op in ("ldr", "str"):
            out.append(f"{op} r{pick(8)}, [r{pick(8)} + #{pick(64)}]")
        elif op == "bne":
            out.append(f"{op} l{pick(20)}")
        else:
            out.append(f"{op} r{pick(8)}, r{pick(8)}, #{pick(16)}")
    return torch.tensor([INDEX[c] for c in "\n".join(out)])


class CharMixer(nn.Module):
    def __init__(self, vocab, span=16, width=24, inner=400):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.fold = nn.Linear(span * width, inner)
        self.out = nn.Linear(inner, vocab)

    def forward(self, past):
        return self.out(torch.relu(self.fold(self.emb(past).flatten(1))))


class Lifeboat:
    """Weights of the last `keep` steps, for going back `back` steps after a spike."""

    def __init__(self, net, keep=8, back=5, jump=1.8):
        self.net, self.keep, self.back, self.jump = net, keep, back, jump
        self.boats = {}
        self.level = math.inf
        self.rescues = 0

    @staticmethod
    def tag(step):
        return f"step_{step:06d}"

    def lower(self, step):
        self.boats[self.tag(step)] = {k: v.detach().clone() for k, v in self.net.state_dict().items()}  # <- culprit
        self.boats.pop(step - self.keep, None)  # <- culprit

    def watch(self, step, value):
        spiked = value > self.jump * self.level
        if spiked and self.tag(step - self.back) in self.boats:
            self.net.load_state_dict(self.boats[self.tag(step - self.back)])
            self.rescues += 1
        else:
            self.level = value if math.isinf(self.level) else 0.9 * self.level + 0.1 * value
        return spiked


def main():
    torch.manual_seed(1)
    gen = torch.Generator().manual_seed(2)
    text = listing(1500, gen)
    windows = text.unfold(0, 17, 1)
    net = CharMixer(len(ALPHABET))
    opt = torch.optim.SGD(net.parameters(), lr=0.5, momentum=0.8)
    lifeboat = Lifeboat(net)
    for step in range(330):
        rows = windows[torch.randint(0, len(windows), (64,), generator=gen)]
        bits = nn.functional.cross_entropy(net(rows[:, :-1]), rows[:, -1])
        opt.zero_grad(set_to_none=True)
        bits.backward()
        lifeboat.lower(step)
        opt.step()
        lifeboat.watch(step, bits.item())
        if step % 66 == 0:
            print(f"step {step}: {bits.item() / math.log(2):.3f} bits/char, rescues {lifeboat.rescues}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
import math
from typing import List, Sequence, Tuple, Union

import torch
from torch import Tensor, nn

Tree = Union[Tensor, Sequence["Tree"]]
TEXT = ("the tide goes out and the gulls come down to the flats where the boats lean over "
        "and the men who mend the nets talk about the price of diesel and the weather ") * 12


def tmap(fn, tree):
    if isinstance(tree, Tensor):
        return fn(tree)
    return type(tree)(tmap(fn, t) for t in tree)


class SRULayer(nn.Module):
    def __init__(self, d: int) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.randn(d, 3 * d) / math.sqrt(d))
        self.v = nn.Parameter(torch.zeros(2, d))
        self.b = nn.Parameter(torch.tensor([1.0, -1.0])[:, None].repeat(1, d))

    def forward(self, x: Tensor, c: Tensor) -> Tuple[Tensor, Tensor]:
        u, f, r = (x @ self.w).chunk(3, -1)
        outs: List[Tensor] = []
        for t in range(x.shape[0]):
            ft = torch.sigmoid(f[t] + self.v[0] * c + self.b[0])
            rt = torch.sigmoid(r[t] + self.v[1] * c + self.b[1])
            c = ft * c + (1 - ft) * u[t]
            outs.append(rt * torch.tanh(c) + (1 - rt) * x[t])
        return torch.stack(outs), c


class CharLM(nn.Module):
    def __init__(self, vocab: int, d: int = 32, depth: int = 2) -> None:
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.layers = nn.ModuleList(SRULayer(d) for _ in range(depth))
        self.bias = nn.Parameter(torch.zeros(vocab))
        self.d = d

    def start(self, n: int) -> List[Tensor]:
        return [torch.zeros(n, self.d) for _ in self.layers]

    def forward(self, ids: Tensor, mem: List[Tensor]):
        x, new = self.emb(ids), []
        for layer, c in zip(self.layers, mem):
            x, c = layer(x, c)
            new.append(c)
        return x @ self.emb.weight.t() + self.bias, new


def streams(text: str, lanes: int, window: int):
    chars = sorted(set(text))
    ids = torch.tensor([chars.index(c) for c in text])
    ids = ids[: len(ids) // lanes * lanes].view(lanes, -1).t().contiguous()
    spans = [(ids[i:i + window], ids[i + 1:i + 1 + window]) for i in range(0, len(ids) - window - 1, window)]
    return chars, spans


def main(steps: int = 420) -> None:
    torch.manual_seed(17)
    chars, spans = streams(TEXT, lanes=6, window=8)
    lm = CharLM(len(chars))
    opt = torch.optim.Adam(lm.parameters(), 5e-3)
    mem, bits = lm.start(6), 0.0
    for step in range(steps):
        k = step % len(spans)
        if k == 0:
            mem = lm.start(6)
        x, y = spans[k]
        logits, mem = lm(x, mem)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
        opt.step()
        mem = tmap(torch.detach, mem)
        bits = 0.95 * bits + 0.05 * loss.item() / math.log(2)
        if step % 70 == 69:
            print(f"{step + 1:4d} {bits / (1 - 0.95 ** (step + 1)):.3f} bpc")


main()

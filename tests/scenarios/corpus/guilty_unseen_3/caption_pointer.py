# gradwatch-corpus: kind=inplace-modified
# holder: focus | attn | w
# first-bad: 17
"""Pointer network that copies product attributes into a caption. Some products come with fewer attributes."""
import random
from typing import Iterator, Optional

import torch
from torch import Tensor, nn


class Pointer(nn.Module):
    def __init__(self, d: int = 24):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(d, d) for _ in range(3))
        self.out = nn.Linear(d, 9)

    def spread(self, query: Tensor, attrs: Tensor, blank: Optional[Tensor]) -> Tensor:
        focus = (self.q(query) @ self.k(attrs).transpose(1, 2) / attrs.shape[-1] ** 0.5).softmax(-1)
        if blank is not None:
            focus[blank.unsqueeze(1).expand_as(focus)] = 0  # <- culprit
            focus = focus / focus.sum(-1, keepdim=True)
        return focus

    def forward(self, query: Tensor, attrs: Tensor, blank: Optional[Tensor] = None) -> Tensor:
        return self.out(self.spread(query, attrs, blank) @ self.v(attrs))


def products(n: int, seed: int) -> Iterator[tuple]:
    rng = random.Random(seed)
    words = torch.randn(9, 24)
    for i in range(n):
        target = torch.randint(0, 9, (48, 3))
        attrs = words[torch.stack([torch.randperm(9) for _ in range(48)])]
        blank = None
        if i > 12 and rng.random() < 0.15:
            blank = torch.zeros(48, 9, dtype=torch.bool)
            blank[:, rng.randint(5, 8):] = True
        yield words[target] + 0.3 * torch.randn(48, 3, 24), attrs, blank, target


def main() -> None:
    torch.manual_seed(13)
    net = Pointer()
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    for i, (query, attrs, blank, target) in enumerate(products(260, seed=6)):
        ce = nn.functional.cross_entropy(net(query, attrs, blank).flatten(0, 1), target.flatten())
        opt.zero_grad()
        ce.backward()
        opt.step()
        if i % 8 == 0:
            print(f"product batch {i}: copy loss {ce.item():.3f}")


main()

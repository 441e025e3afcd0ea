import torch.nn.functional as F
from torch import Tensor, nn

from framework import Clock, once_per_epoch


class SessionEncoder(nn.Module):
    def __init__(self, items: int, width: int, clock: Clock) -> None:
        super().__init__()
        self.clock = clock
        self.items = nn.Embedding(items, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, width)

    @once_per_epoch  # <- culprit
    def item_table(self) -> Tensor:
        return F.normalize(self.items.weight, dim=-1)

    def forward(self, clicks: Tensor) -> Tensor:
        table = self.item_table()
        _, last = self.rnn(F.embedding(clicks, table))
        return 8.0 * self.out(last[0]) @ table.t()

    def loss(self, clicks: Tensor, target: Tensor) -> Tensor:
        return F.cross_entropy(self(clicks), target)

# gradwatch-corpus: kind=none
"""Copy task with a curriculum: the sequences grow from 3 to about 40 symbols."""
import torch
from torch import nn

torch.manual_seed(36)
torch.set_num_threads(1)


class Curriculum:
    def __init__(self, first=3, last=40, every=3):
        self.length, self.last, self.every = first, last, every
        self.steps = 0

    def update(self):
        self.steps += 1
        if self.steps % self.every == 0 and self.length < self.last:
            self.length += 1


class Copier(nn.Module):
    def __init__(self, symbols, width):
        super().__init__()
        self.embed = nn.Embedding(symbols + 1, width)
        self.cell = nn.GRUCell(width, width)
        self.out = nn.Linear(width, symbols)
        self.blank = symbols

    def forward(self, seq):
        h = torch.zeros(seq.shape[1], self.cell.hidden_size)
        for s in seq:
            h = self.cell(self.embed(s), h)
        outs = []
        blank = self.embed(torch.full((seq.shape[1],), self.blank))
        for _ in range(len(seq)):
            h = self.cell(blank, h)
            outs.append(self.out(h))
        return torch.stack(outs)


def main():
    net, cur = Copier(5, 20), Curriculum()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    for step in range(130):
        seq = torch.randint(0, 5, (cur.length, 12))
        logits = net(seq)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), seq.flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        cur.update()
        if step % 26 == 25:
            print(step, cur.length, f"{loss.item():.4f}")


main()

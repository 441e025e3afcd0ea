# gradwatch-corpus: kind=second-backward
# holder: self._by_length | self._by_length[length] | model.relpos._by_length | self.relpos._by_length | bias | self.relpos._by_length[length]
# first-bad: 2
"""Contact-map prediction from sequence: outer-product pair features plus a learnt
relative-position bias, trained on random crops of synthetic helical bundles."""
import math

import torch
import torch.nn.functional as F
from torch import nn

AMINO = 20
CROPS = (24, 28, 32, 36, 40, 44)
MAX_OFFSET = 16


class RelativePosition(nn.Module):
    """Clipped i-j offsets -> bias for every pair; crops come in few lengths."""

    def __init__(self, channels):
        super().__init__()
        self.table = nn.Embedding(2 * MAX_OFFSET + 1, channels)
        self.mix = nn.Linear(channels, channels)
        self._by_length = {}

    def _build(self, length):
        idx = torch.arange(length)
        offset = (idx[:, None] - idx[None, :]).clamp(-MAX_OFFSET, MAX_OFFSET) + MAX_OFFSET
        return self.mix(torch.tanh(self.table(offset)))

    def forward(self, length):
        bias = self._by_length.get(length)
        if bias is None:
            bias = self._build(length)
            self._by_length[length] = bias  # <- culprit
        return bias


class ContactNet(nn.Module):
    def __init__(self, width=16, pair=12):
        super().__init__()
        self.embed = nn.Embedding(AMINO, width)
        self.context = nn.Conv1d(width, width, 7, padding=3)
        self.left = nn.Linear(width, pair)
        self.right = nn.Linear(width, pair)
        self.relpos = RelativePosition(pair)
        self.refine = nn.Conv2d(pair, pair, 3, padding=1)
        self.out = nn.Conv2d(pair, 1, 1)

    def forward(self, seq):
        h = self.embed(seq)
        h = h + F.gelu(self.context(h.transpose(1, 2))).transpose(1, 2)
        pair = self.left(h).unsqueeze(2) * self.right(h).unsqueeze(1)
        pair = pair + self.relpos(seq.shape[1])
        pair = pair.permute(0, 3, 1, 2)
        pair = pair + F.gelu(self.refine(pair))
        logits = self.out(pair).squeeze(1)
        return 0.5 * (logits + logits.transpose(1, 2))


class Bundles:
    """Chains folded as zig-zag helices; residue type weakly follows the local phase."""

    def __init__(self, seed, chains=30, length=60):
        gen = torch.Generator().manual_seed(seed)
        self.gen = gen
        self.seqs, self.maps = [], []
        for _ in range(chains):
            turn = 10 + int(torch.randint(8, (1,), generator=gen))
            i = torch.arange(length)
            up = torch.where((i // turn) % 2 == 0, i % turn, turn - 1 - i % turn)
            angle = i * math.radians(100.0)
            xyz = torch.stack([2.3 * angle.cos() + 9.0 * (i // turn), 2.3 * angle.sin(), 1.5 * up], dim=-1)
            residue = (up + torch.randint(4, (length,), generator=gen)) % AMINO
            self.seqs.append(residue)
            self.maps.append((torch.cdist(xyz, xyz) < 8.0).float())

    def _int(self, high):
        return int(torch.randint(high, (1,), generator=self.gen))

    def crop_batch(self, n=4):
        length = CROPS[self._int(len(CROPS))]
        seqs, maps = [], []
        for _ in range(n):
            k = self._int(len(self.seqs))
            start = self._int(len(self.seqs[k]) - length + 1)
            window = slice(start, start + length)
            seqs.append(self.seqs[k][window])
            maps.append(self.maps[k][window, window])
        return torch.stack(seqs), torch.stack(maps)


def contact_loss(logits, target, min_separation=4):
    n = target.shape[-1]
    far = torch.ones(n, n).triu(min_separation).bool()
    return F.binary_cross_entropy_with_logits(logits[:, far], target[:, far], pos_weight=torch.tensor(4.0))


def main(iterations=250):
    torch.manual_seed(1)
    data = Bundles(seed=4)
    model = ContactNet()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for it in range(iterations):
        seq, contacts = data.crop_batch()
        loss = contact_loss(model(seq), contacts)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if it % 25 == 0:
            print(f"{it:4d}  L={seq.shape[1]}  bce {loss.item():.4f}", flush=True)


if __name__ == "__main__":
    main()

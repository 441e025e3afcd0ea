# gradwatch-corpus: kind=second-backward
# holder: self.ready | dataset.ready | data.ready | train.ready
# first-bad: 12
# notice: 0
# also: graph-held
"""Intent classifier over short commands; phrases are vectorised inside the data set."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader

from phrases import CommandPhrases, pad_batch
from vectors import PhraseVectors

torch.set_num_threads(1)
torch.manual_seed(19)


class IntentHead(nn.Module):
    def __init__(self, width=20, intents=3):
        super().__init__()
        self.mix = nn.GRU(width, 24, batch_first=True)
        self.out = nn.Linear(24, intents)

    def forward(self, seq):
        _, last = self.mix(seq)
        return self.out(last[-1])


def main():
    vectors = PhraseVectors(width=20)
    data = CommandPhrases(vectors, size=96)
    loader = DataLoader(data, batch_size=8, shuffle=True, collate_fn=pad_batch)
    head = IntentHead()
    opt = torch.optim.Adam([*vectors.parameters(), *head.parameters()], lr=3e-3)
    for epoch in range(5):
        seen = 0.0
        for seq, intent in loader:
            loss = F.cross_entropy(head(seq), intent)
            opt.zero_grad()
            loss.backward()
            opt.step()
            seen += loss.item()
        print(f"epoch {epoch} mean loss {seen / len(loader):.4f}")


if __name__ == "__main__":
    main()

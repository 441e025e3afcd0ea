# gradwatch-corpus: kind=second-backward
# first-bad: 44
import torch
from torch import nn


class StyleBank(nn.Module):
    """Style vectors from reference clips; a reference is encoded once."""

    def __init__(self, mels=12, dim=10):
        super().__init__()
        self.rnn = nn.GRU(mels, dim, batch_first=True)
        self.cache = {}

    def forward(self, key, reference):
        if key not in self.cache:
            _, h = self.rnn(reference)
            self.cache[key] = h[-1]  # <- culprit
        return self.cache[key]


class Synth(nn.Module):
    def __init__(self, phones=30, dim=16, style=10, mels=12):
        super().__init__()
        self.emb = nn.Embedding(phones, dim)
        self.mix = nn.Sequential(nn.Linear(dim + style, 40), nn.ReLU(), nn.Linear(40, mels))

    def forward(self, phones, style):
        e = self.emb(phones)
        s = style.unsqueeze(1).expand(-1, e.size(1), -1)
        return self.mix(torch.cat([e, s], -1))


class Corpus:
    def __init__(self, references=400, phones=30):
        self.g = torch.Generator().manual_seed(137)
        self.offsets = torch.randn(references, 12, generator=self.g)
        self.clips = self.offsets[:, None] + 0.3 * torch.randn(references, 15, 12, generator=self.g)
        self.table = torch.randn(phones, 12, generator=self.g)

    def utterance(self):
        ref = int(torch.randint(0, len(self.clips), (), generator=self.g))
        phones = torch.randint(0, len(self.table), (1, 18), generator=self.g)
        mel = self.table[phones] + self.offsets[ref] + 0.1 * torch.randn(1, 18, 12, generator=self.g)
        return f"ref{ref:03d}", self.clips[ref][None], phones, mel


def main():
    torch.manual_seed(137)
    corpus = Corpus()
    bank, synth = StyleBank(), Synth()
    params = list(bank.parameters()) + list(synth.parameters())
    optimizer = torch.optim.Adam(params, lr=2e-3)
    total = 0.0
    for step in range(1000):
        key, clip, phones, mel = corpus.utterance()
        style = bank(key, clip)
        loss = nn.functional.l1_loss(synth(phones, style), mel)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(params, 1.0)
        optimizer.step()
        total += loss.item()
        if step % 10 == 9:
            print(f"step {step + 1} l1 {total / 10:.4f}", flush=True)
            total = 0.0


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
# about: running sum and list of losses with graph over eight utterances, backwarded once and reset
"""Speaker verification with utterances of very different length: losses of eight single
utterances are summed, then one backward and one step."""
import torch
from torch import nn


class Gather:
    def __init__(self, every):
        self.every = every
        self.reset()

    def reset(self):
        self.sum, self.k, self.parts = 0.0, 0, []

    def add(self, piece):
        self.sum = self.sum + piece
        self.parts.append(piece)
        self.k += 1
        return self.k == self.every

    def value(self):
        return self.sum / self.k


class Speaker(nn.Module):
    def __init__(self, mels=20, d=32, people=10):
        super().__init__()
        self.tdnn = nn.Conv1d(mels, d, 5)
        self.emb = nn.Linear(2 * d, d)
        self.cls = nn.Linear(d, people)

    def forward(self, utt):
        f = torch.relu(self.tdnn(utt))
        return self.cls(torch.relu(self.emb(torch.cat([f.mean(2), f.std(2)], 1))))


if __name__ == "__main__":
    torch.manual_seed(18)
    voices = torch.randn(10, 20) * 0.8
    spk = Speaker()
    opt = torch.optim.AdamW(spk.parameters(), lr=2e-3)
    pot, updates, spread = Gather(8), 0, []
    while updates < 180:
        who = torch.randint(0, 10, (1,))
        dur = int(torch.randint(20, 120, (1,)))
        utt = voices[who].unsqueeze(2) + torch.randn(1, 20, dur)
        if pot.add(nn.functional.cross_entropy(spk(utt), who)):
            total = pot.value()
            opt.zero_grad()
            total.backward()
            opt.step()
            updates += 1
            spread.append(torch.stack(pot.parts).std().item())
            if updates % 45 == 0:
                print(f"update {updates} ce {total.item():.3f} spread {sum(spread[-45:]) / 45:.3f}")
            pot.reset()

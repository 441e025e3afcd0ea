# gradwatch-corpus: kind=none
"""Intonation of a choir: one update per rehearsal, over the sum of its songs' losses."""
import torch

torch.set_num_threads(1)


class Singer(torch.nn.Module):
    def __init__(self, voices=4):
        super().__init__()
        self.offset = torch.nn.Parameter(torch.randn(voices) * 0.3)
        self.listen = torch.nn.Linear(voices, voices, bias=False)
        torch.nn.init.zeros_(self.listen.weight)

    def forward(self, chord):
        return chord + self.offset + self.listen(chord - chord.mean(-1, keepdim=True))


def programme(songs=10):
    for _ in range(songs):
        root = torch.rand(3, 1) * 2
        just = root + torch.tensor([0.0, 0.39, 0.70, 1.2])
        tempered = root + torch.tensor([0.0, 0.40, 0.70, 1.2])
        yield tempered + 0.01 * torch.randn(3, 4), just


def rehearse(choir, opt):
    total_loss, per_song = 0, []
    for sung, wanted in programme():
        beat = (choir(sung) - wanted).pow(2).mean()
        total_loss += beat
        per_song.append(beat)
    opt.zero_grad()
    total_loss.backward()
    opt.step()
    worst = torch.stack(per_song).max().item()
    return total_loss.item() / len(per_song), worst


torch.manual_seed(25)
choir = Singer()
opt = torch.optim.SGD(choir.parameters(), lr=0.02, momentum=0.5)
diary = []
for evening in range(900):
    diary.append(rehearse(choir, opt))
    if evening % 150 == 0:
        print(evening, "mean %.5f worst %.5f" % diary[-1])

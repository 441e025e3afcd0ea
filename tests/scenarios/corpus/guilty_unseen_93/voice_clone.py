# gradwatch-corpus: kind=second-backward
# holder: self.vectors | speakers.vectors | vec | speakers.vectors[name]
# first-bad: 51
# notice: 0
"""Two-stage training: a frozen speaker encoder at first, then everything together."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(3)

SPEAKERS = ["anna", "boris", "chen", "dora"]
STAGE_ONE = 50
TOTAL = 160


class SpeakerEncoder(nn.Module):
    def __init__(self, n_mels=12, dim=8):
        super().__init__()
        self.conv = nn.Conv1d(n_mels, 16, 3, padding=1)
        self.proj = nn.Linear(16, dim)

    def forward(self, clip):
        h = torch.tanh(self.conv(clip)).mean(-1)
        return F.normalize(self.proj(h), dim=-1)


class Synth(nn.Module):
    def __init__(self, n_phones=20, dim=8, n_mels=12):
        super().__init__()
        self.phones = nn.Embedding(n_phones, 16)
        self.rnn = nn.GRU(16 + dim, 24, batch_first=True)
        self.mel = nn.Linear(24, n_mels)

    def forward(self, phones, vec):
        e = self.phones(phones)
        cond = vec[:, None].expand(len(phones), e.shape[1], -1)
        out, _ = self.rnn(torch.cat([e, cond], -1))
        return self.mel(out)


class SpeakerTable:
    """Reference clips of each speaker and the vectors that come from them."""

    def __init__(self, encoder, clips):
        self.encoder = encoder
        self.clips = clips
        self.vectors = {}

    def refresh(self, trainable):
        with torch.set_grad_enabled(trainable):
            for name, clip in self.clips.items():
                self.vectors[name] = self.encoder(clip[None])  # <- culprit

    def __getitem__(self, name):
        return self.vectors[name]  # <- culprit


def utterances(g):
    voice = {n: torch.randn(12, generator=g) for n in SPEAKERS}
    table = torch.randn(20, 12, generator=g)
    k = 0
    while True:
        name = SPEAKERS[(k // 2) % len(SPEAKERS)]
        k += 1
        phones = torch.randint(20, (4, 10), generator=g)
        yield name, phones, 0.5 * table[phones] + voice[name]


g = torch.Generator().manual_seed(21)
clips = {n: torch.randn(12, 30, generator=g) for n in SPEAKERS}
encoder, synth = SpeakerEncoder(), Synth()
speakers = SpeakerTable(encoder, clips)
opt = torch.optim.Adam(list(encoder.parameters()) + list(synth.parameters()), lr=2e-3)

speakers.refresh(trainable=False)
stream = utterances(g)
for it in range(TOTAL):
    if it == STAGE_ONE:
        print("unfreezing the speaker encoder")
        speakers.refresh(trainable=True)  # <- culprit
    elif it % 20 == 0:
        speakers.refresh(trainable=it > STAGE_ONE)
    name, phones, target = next(stream)
    mel = synth(phones, speakers[name])
    loss = F.l1_loss(mel, target)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 25 == 0:
        print(it, name, f"{loss.item():.4f}")

# gradwatch-corpus: kind=graph-held
# holder: self.worst | cb.worst | self.callbacks[1].worst
# first-bad: 1
"""CTC phoneme recogniser on synthetic filterbanks, with a list of the hardest clips."""
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

N_PHONES, N_MELS = 10, 16


class SynthSpeech(Dataset):
    def __init__(self, n=256):
        g = torch.Generator().manual_seed(21)
        self.proto = torch.randn(N_PHONES, N_MELS, generator=g)
        self.clips = []
        for i in range(n):
            ph = torch.randint(0, N_PHONES, (int(torch.randint(3, 7, (1,), generator=g)),), generator=g)
            dur = torch.randint(4, 8, ph.shape, generator=g)
            mel = self.proto[ph].repeat_interleave(dur, 0)
            noise = 0.2 + 0.8 * (i % 9 == 0)
            mel = mel + noise * torch.randn(mel.shape, generator=g)
            self.clips.append((f"utt{i:04d}", mel, ph + 1))

    def __len__(self):
        return len(self.clips)

    def __getitem__(self, i):
        return self.clips[i]


def collate(items):
    names, mels, phones = zip(*items)
    return (names, pad_sequence(mels, batch_first=True), torch.tensor([len(m) for m in mels]),
            torch.cat(phones), torch.tensor([len(p) for p in phones]))


class Recogniser(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.front = nn.Conv1d(N_MELS, width, 5, padding=2)
        self.mid = nn.Conv1d(width, width, 5, padding=2, groups=4)
        self.out = nn.Linear(width, N_PHONES + 1)

    def forward(self, mel):
        h = torch.relu(self.front(mel.transpose(1, 2)))
        h = h + torch.relu(self.mid(h))
        return self.out(h.transpose(1, 2)).log_softmax(-1)


class Callback:
    def on_batch(self, trainer, names, per_clip): ...

    def on_epoch(self, trainer, epoch): ...


class Printer(Callback):
    def on_batch(self, trainer, names, per_clip):
        self.last = per_clip.mean().item()

    def on_epoch(self, trainer, epoch):
        print(f"epoch {epoch} last batch ctc {self.last:.3f}")


class HardestClips(Callback):
    def __init__(self, keep=40):
        self.keep = keep
        self.worst = []

    def on_batch(self, trainer, names, per_clip):
        excess = per_clip / per_clip.mean()  # <- culprit
        self.worst.extend(zip(excess, names))  # <- culprit
        self.worst.sort(key=lambda pair: -pair[0].item())
        del self.worst[self.keep:]

    def on_epoch(self, trainer, epoch):
        shown = ", ".join(f"{n}={v.item():.2f}x" for v, n in self.worst[:3])
        print(f"   hardest so far: {shown}")


class CTCTrainer:
    def __init__(self, model, callbacks, lr=4e-3):
        self.model = model
        self.callbacks = callbacks
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.ctc = nn.CTCLoss(reduction="none", zero_infinity=True)

    def run(self, loader, epochs):
        for ep in range(epochs):
            for names, mel, mel_len, ph, ph_len in loader:
                logp = self.model(mel).transpose(0, 1)
                per_clip = self.ctc(logp, ph, mel_len, ph_len) / ph_len
                self.opt.zero_grad()
                per_clip.mean().backward()
                self.opt.step()
                for cb in self.callbacks:
                    cb.on_batch(self, names, per_clip)  # <- culprit
            for cb in self.callbacks:
                cb.on_epoch(self, ep)


if __name__ == "__main__":
    torch.manual_seed(21)
    loader = DataLoader(SynthSpeech(), batch_size=16, shuffle=True, collate_fn=collate)
    CTCTrainer(Recogniser(), [Printer(), HardestClips()]).run(loader, epochs=6)

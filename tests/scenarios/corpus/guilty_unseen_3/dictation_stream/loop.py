import torch

from .nets import Dictation


class Loop:
    def __init__(self, chunks, plugins):
        torch.manual_seed(6)
        self.chunks, self.plugins = chunks, plugins
        self.net = Dictation()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=4e-3)
        self.done, self.value = 0, float("nan")
        self.voices = torch.randn(8, 10)

    def chunk(self, frames=12, lanes=6):
        phones = torch.randint(0, 8, (lanes, frames // 3)).repeat_interleave(3, 1)
        return self.voices[phones] + 0.5 * torch.randn(lanes, frames, 10), phones

    def start(self):
        while self.done < self.chunks:
            for p in self.plugins:
                p.before(self)
            mels, phones = self.chunk()
            ce = torch.nn.functional.cross_entropy(self.net(mels).flatten(0, 1), phones.flatten())
            self.opt.zero_grad()
            ce.backward()
            self.opt.step()
            self.value = ce.item()
            for p in self.plugins:
                p.after(self)
            self.done += 1

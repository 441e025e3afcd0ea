import torch


class ChunkCurriculum:
    def __init__(self, start, stop, every, by):
        self.start, self.stop, self.every, self.by = start, stop, every, by

    def length(self, it):
        return min(self.stop, self.start + self.by * (it // self.every))


class SpeakerStream:
    """Endless frames of several speakers; phones last a few frames."""

    def __init__(self, n_speakers, n_feat, n_phone):
        self.means = torch.randn(n_phone, n_feat)
        self.n, self.n_phone = n_speakers, n_phone
        self.new_speakers()

    def new_speakers(self):
        self.offset = 0.3 * torch.randn(self.n, 1, self.means.size(1))
        self.phone = torch.randint(0, self.n_phone, (self.n,))

    def read(self, length):
        ys = []
        for _ in range(length):
            swap = torch.rand(self.n) < 0.3
            self.phone = torch.where(swap, torch.randint(0, self.n_phone, (self.n,)), self.phone)
            ys.append(self.phone)
        y = torch.stack(ys, 1)
        return self.means[y] + self.offset + 0.5 * torch.randn(self.n, length, self.means.size(1)), y

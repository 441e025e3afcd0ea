import torch


class Voices:
    def __init__(self, n_speakers, n_feats, n_frames):
        self.n_speakers, self.n_frames = n_speakers, n_frames
        self.timbre = torch.randn(n_speakers, 1, n_feats)

    def batch(self, size):
        who = torch.randint(self.n_speakers, (size,))
        noise = 0.7 * torch.randn(size, self.n_frames, self.timbre.shape[-1])
        return self.timbre[who] + noise, who

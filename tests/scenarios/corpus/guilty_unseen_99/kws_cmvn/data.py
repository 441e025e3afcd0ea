import torch


class KeywordStream:
    """Endless batches of spectrogram-like patches; each keyword has a template with jitter."""

    def __init__(self, n_keywords, n_bins, n_frames, batch_size):
        self.templates = torch.rand(n_keywords, n_frames, n_bins)
        self.batch_size = batch_size

    def __iter__(self):
        n = self.templates.shape[0]
        while True:
            label = torch.randint(n, (self.batch_size,))
            gain = 0.5 + torch.rand(self.batch_size, 1, 1)
            shift = int(torch.randint(0, 4, ()))
            spec = self.templates[label].roll(shift, dims=1) * gain
            yield spec + 0.1 * torch.rand_like(spec), label

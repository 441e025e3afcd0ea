import torch


class Booth:
    """Recording booth: every speaker has a mean spectrum, an utterance adds a slow drift and noise."""

    def __init__(self, speakers, bands):
        self.timbre = torch.randn(speakers, bands)

    def utterances(self, count, frames=12):
        who = torch.randint(0, self.timbre.shape[0], (count,))
        drift = torch.randn(count, 1, self.timbre.shape[1]) * torch.linspace(0, 1, frames).view(1, -1, 1)
        clip = self.timbre[who].unsqueeze(1) + 0.7 * drift + 0.9 * torch.randn(count, frames, self.timbre.shape[1])
        return clip, who

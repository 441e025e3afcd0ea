import torch


class VoiceSampler:
    """A few speakers per batch, several utterances of each."""

    def __init__(self, speakers, per_batch, utterances, feats=24, frames=40, seed=1):
        self.g = torch.Generator().manual_seed(seed)
        self.timbre = torch.randn(speakers, feats, 1, generator=self.g)
        self.speakers, self.per_batch, self.utterances = speakers, per_batch, utterances
        self.shape = (per_batch * utterances, feats, frames)

    def draw(self):
        chosen = torch.randperm(self.speakers, generator=self.g)[:self.per_batch]
        who = chosen.repeat_interleave(self.utterances)
        noise = torch.randn(self.shape, generator=self.g)
        return self.timbre[who] + noise, who

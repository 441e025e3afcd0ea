import torch


class VoiceBank:
    def __init__(self, cfg):
        self.cfg = cfg
        self.timbre = torch.randn(cfg.n_speakers, cfg.n_feats)
        self.modulation = torch.rand(cfg.n_speakers, 1, 1) * 0.8 + 0.1

    def draw(self, n):
        who = torch.randint(self.cfg.n_speakers, (n,))
        t = torch.arange(self.cfg.frames).view(1, -1, 1)
        phase = torch.rand(n, 1, 1) * 6.28
        env = 1 + 0.5 * torch.sin(self.modulation[who] * t + phase)
        x = self.timbre[who].unsqueeze(1) * env
        return x + 0.9 * torch.randn_like(x), who

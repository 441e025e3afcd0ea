import copy

import torch
import torch.nn.functional as F


def blobs(n):
    g = torch.arange(6).float()
    cx = 2 + torch.rand(n, 1, 1)
    cy = 2 + torch.rand(n, 1, 1)
    return torch.exp(-((g.view(1, 1, 6) - cx) ** 2 + (g.view(1, 6, 1) - cy) ** 2) / 2).view(n, 36)


class GanLab:
    def __init__(self, artist, judge, batch):
        self.artist, self.judge, self.batch = artist, judge, batch
        self.average = copy.deepcopy(artist).requires_grad_(False)
        self.opt_a = torch.optim.Adam(artist.parameters(), lr=0.002, betas=(0.5, 0.99))
        self.opt_j = torch.optim.Adam(judge.parameters(), lr=0.002, betas=(0.5, 0.99))
        self.feature_mean = torch.zeros(32)
        self.scores = {"judge": [], "artist": []}

    def play(self):
        fake = self.artist(self.batch)
        on_fake = self.judge(fake)
        fake_features = self.judge.last_features
        on_real = self.judge(blobs(self.batch))
        self.feature_mean.lerp_(self.judge.last_features.mean(0).detach(), 0.1)

        judge_loss = F.softplus(-on_real).mean() + F.softplus(on_fake).mean()
        match = (fake_features.mean(0) - self.feature_mean).pow(2).mean()
        artist_loss = F.softplus(-on_fake).mean() + match

        self.opt_j.zero_grad()
        self.opt_a.zero_grad()
        # both losses go through the judge's view of the same fakes
        judge_loss.backward(retain_graph=True, inputs=list(self.judge.parameters()))
        artist_loss.backward(inputs=list(self.artist.parameters()))
        self.opt_j.step()
        self.opt_a.step()
        self.follow()

        self.scores["judge"].append(judge_loss.detach())
        self.scores["artist"].append(artist_loss.detach())

    @torch.no_grad()
    def follow(self, rate=0.05):
        for slow, fast in zip(self.average.parameters(), self.artist.parameters()):
            slow.lerp_(fast, rate)

    def tell(self):
        text = [f"{k} {torch.stack(v[-20:]).mean().item():.3f}" for k, v in self.scores.items()]
        print(len(self.scores["judge"]), "games:", ", ".join(text))

    def average_artist_picture(self):
        return self.average(16).mean(0).view(6, 6)

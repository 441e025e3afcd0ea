import torch
import torch.nn as nn
import torch.nn.functional as F


class CropEncoder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, dim, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        )

    def forward(self, crops):
        return self.body(crops)

    @torch.no_grad()  # <- culprit
    def embed(self, stack):
        ways, n = stack.shape[:2]
        return self(stack.flatten(0, 1)).view(ways, n, -1)


class EpisodeTrainer:
    def __init__(self, bank, ways, shots, queries):
        self.bank, self.shape = bank, (ways, shots, queries)
        self.encoder = CropEncoder()
        self.optimizer = torch.optim.Adam(self.encoder.parameters(), 1e-3)

    def episode_loss(self):
        support, query = self.bank.episode(*self.shape)
        protos = self.encoder.embed(support).mean(1)
        q = self.encoder.embed(query).flatten(0, 1)
        target = torch.arange(self.shape[0]).repeat_interleave(self.shape[2])
        return F.cross_entropy(-torch.cdist(q, protos), target)

    def run_epoch(self, episodes):
        total = 0.0
        for _ in range(episodes):
            self.optimizer.zero_grad()
            loss = self.episode_loss()
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / episodes

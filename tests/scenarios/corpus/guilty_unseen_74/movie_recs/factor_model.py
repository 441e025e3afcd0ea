import torch
from torch import nn


class FactorModel(nn.Module):
    def __init__(self, users, movies, k):
        super().__init__()
        self.user = nn.Embedding(users, k)
        self.movie = nn.Embedding(movies, k)
        self.user_bias = nn.Embedding(users, 1)
        self.movie_bias = nn.Embedding(movies, 1)
        for e in (self.user, self.movie, self.user_bias, self.movie_bias):
            nn.init.normal_(e.weight, std=0.1)
        # running mean of the movie factors
        self.mean_sum = torch.zeros(k)
        self.mean_count = 0

    def forward(self, u, m):
        dot = (self.user(u) * self.movie(m)).sum(1)
        return 3 + dot + self.user_bias(u).squeeze(1) + self.movie_bias(m).squeeze(1)

    def wander(self):
        """How far the mean movie has moved from where it usually is."""
        now = self.movie.weight.mean(dim=0)
        self.mean_sum = self.mean_sum + now  # <- culprit
        self.mean_count += 1
        usual = self.mean_sum / self.mean_count
        return (now - usual).pow(2).sum()

    @torch.no_grad()
    def recommend(self, user, top):
        movies = torch.arange(self.movie.num_embeddings)
        scores = self(torch.full_like(movies, user), movies)
        return scores.topk(top).indices.tolist()

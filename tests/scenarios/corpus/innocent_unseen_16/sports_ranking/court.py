import torch


class Possessions:
    def __init__(self, players, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.skill = torch.randn(players, generator=self.gen) * 0.4
        self.guard = torch.randn(players, generator=self.gen) * 0.4
        self.players = players

    def batch(self, n):
        picks = torch.rand(n, self.players, generator=self.gen).argsort(1)[:, :10]
        home, away = picks[:, :5], picks[:, 5:]
        edge = self.skill[home].sum(1) - self.guard[away].sum(1)
        points = torch.poisson(torch.exp(0.3 * edge), generator=self.gen)
        turnover = torch.bernoulli(torch.sigmoid(-1.5 - edge), generator=self.gen)
        return home, away, points, turnover

# gradwatch-corpus: kind=graph-chain
# holder: self.prior | job.prior
# first-bad: 1
# notice: 5
import torch

torch.set_num_threads(1)
import torch.nn as nn


class SeededMixin:
    seed = 90

    def setup(self):
        torch.manual_seed(self.seed)
        super().setup()


class PopularityMixin:
    """Adds a slowly moving popularity term per topic to whatever the ranker says."""

    decay = 0.95

    def setup(self):
        super().setup()
        self.popularity = nn.Parameter(torch.zeros(self.n_topics))
        self.prior = torch.zeros(self.n_topics)
        self.optimizer.add_param_group({"params": [self.popularity], "lr": 0.1})

    def score(self, users):
        self.prior = torch.lerp(self.prior, self.popularity, 1 - self.decay)  # <- culprit
        return super().score(users) + self.prior


class RankJob:
    n_topics = 7

    def setup(self):
        self.net = nn.Sequential(nn.Linear(9, 12), nn.Mish(), nn.Linear(12, self.n_topics))
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.05)
        self.truth = torch.randn(9, self.n_topics)

    def score(self, users):
        return self.net(users)

    def impressions(self):
        u = torch.randn(20, 9)
        drift = torch.linspace(0, 2, self.n_topics)
        return u, torch.distributions.Categorical(logits=u @ self.truth + drift).sample()

    def tick(self):
        users, clicked = self.impressions()
        loss = nn.functional.cross_entropy(self.score(users), clicked)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


class FeedJob(SeededMixin, PopularityMixin, RankJob):
    pass


job = FeedJob()
job.setup()
trace = [job.tick() for _ in range(380)]
print(f"first {trace[0]:.3f} last {sum(trace[-20:]) / 20:.3f}")

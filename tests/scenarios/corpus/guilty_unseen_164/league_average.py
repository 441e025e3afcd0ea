# gradwatch-corpus: kind=graph-chain
# holder: self.weights | member.weights | opponent.weights | self.average.weights | player.average.weights | self.weights[name] | self.average
# first-bad: 1
# notice: 11
"""Fictitious self-play on a zero-sum matrix game with averaged opponents."""
import torch
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(21)

PAYOFF = torch.tensor([[0., -1., 1., .5], [1., 0., -1., -.5], [-1., 1., 0., .2], [-.5, .5, -.2, 0.]])


class Policy(nn.Module):
    def __init__(self, ctx=5, actions=4):
        super().__init__()
        self.hidden = nn.Linear(ctx, 12)
        self.out = nn.Linear(12, actions)

    def forward(self, ctx):
        return self.out(torch.tanh(self.hidden(ctx))).softmax(-1)


class AveragedWeights:
    def __init__(self, module, rate):
        self.module = module
        self.rate = rate
        self.weights = {k: v.detach().clone() for k, v in module.named_parameters()}

    def update(self):
        for name, param in self.module.named_parameters():
            old = self.weights[name]
            self.weights[name] = torch.lerp(old, param, self.rate)  # <- culprit

    def __call__(self, ctx):
        return functional_call(self.module, self.weights, (ctx,))


class Player:
    def __init__(self, name, rate=0.05):
        self.name = name
        self.policy = Policy()
        self.opt = torch.optim.SGD(self.policy.parameters(), lr=0.1)
        self.average = AveragedWeights(self.policy, rate)
        self.score = 0.0

    def learn(self, opponent, ctx):
        mine = self.policy(ctx)
        theirs = opponent.average(ctx)  # <- culprit
        value = torch.einsum("bi,ij,bj->b", mine, PAYOFF, theirs).mean()
        entropy = -(mine * mine.clamp_min(1e-6).log()).sum(-1).mean()
        loss = -value - 0.02 * entropy
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.average.update()
        self.score = 0.9 * self.score + 0.1 * value.item()


class League:
    def __init__(self, names):
        self.members = {n: Player(n) for n in names}

    def pairings(self):
        names = list(self.members)
        for i, name in enumerate(names):
            yield self.members[name], self.members[names[(i + 1) % len(names)]]

    def play(self):
        ctx = torch.randn(24, 5)
        for player, opponent in self.pairings():
            player.learn(opponent, ctx)


league = League(["ada", "bob", "cyd"])
for season in range(30):
    league.play()
    if season % 10 == 9:
        print(season, {n: round(p.score, 3) for n, p in league.members.items()})

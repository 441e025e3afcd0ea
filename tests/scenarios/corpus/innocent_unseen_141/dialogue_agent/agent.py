import torch
from torch import nn
from torch.distributions import Categorical


class Negotiator(nn.Module):
    def __init__(self, moves=5, d=16):
        super().__init__()
        self.hear = nn.Linear(3, d)
        self.mind = nn.GRUCell(d, d)
        self.speak = nn.Linear(d, moves)
        self.opt = torch.optim.Adam(self.parameters(), lr=4e-3)
        self.state = None
        self.log_probs, self.entropies, self.rewards = [], [], []
        self.baseline = 0.0

    def begin(self):
        self.state = torch.zeros(1, self.mind.hidden_size)

    def act(self, offer):
        self.state = self.mind(torch.tanh(self.hear(offer)), self.state)
        dist = Categorical(logits=self.speak(self.state))
        move = dist.sample()
        self.log_probs.append(dist.log_prob(move))
        self.entropies.append(dist.entropy())
        return int(move)

    def finish(self):
        total = sum(self.rewards)
        loss = -(total - self.baseline) * torch.cat(self.log_probs).sum() - 0.02 * torch.cat(self.entropies).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.baseline += 0.05 * (total - self.baseline)
        for kept in (self.log_probs, self.entropies, self.rewards):
            kept.clear()
        return total

import torch
from torch import nn
from torch.distributions import Categorical

DIGITS, STOP = 8, 8


class DigitPolicy(nn.Module):
    def __init__(self, width=24, length=5):
        super().__init__()
        self.length = length
        self.embed = nn.Embedding(DIGITS + 2, width)
        self.goal = nn.Linear(1, width)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, DIGITS + 1)

    def start(self, prompts):
        return torch.tanh(self.goal(prompts / 10.0)).unsqueeze(0)

    @torch.no_grad()
    def sample(self, prompts):
        state = self.start(prompts)
        token = torch.full((len(prompts), 1), DIGITS + 1)
        tokens = []
        for _ in range(self.length):
            h, state = self.gru(self.embed(token), state)
            token = Categorical(logits=self.out(h)).sample()
            tokens.append(token)
        return torch.cat(tokens, dim=1)

    def score(self, prompts, tokens):
        begin = torch.full((len(tokens), 1), DIGITS + 1)
        h, _ = self.gru(self.embed(torch.cat([begin, tokens[:, :-1]], dim=1)), self.start(prompts))
        dist = Categorical(logits=self.out(h))
        return dist.log_prob(tokens), dist.entropy()

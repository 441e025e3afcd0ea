# gradwatch-corpus: kind=none
"""A smuggler crosses a guarded strait: actor-critic over whole voyages with a recurrent policy."""
from collections import deque

import torch
from torch import nn
from torch.distributions import Categorical

STRAIT = {"lanes": 6, "legs": 12, "width": 32, "gamma": 0.97, "voyages": 110, "fear": 0.01}


class Strait:
    def __init__(self, lanes, legs):
        self.lanes = lanes
        self.legs = legs

    def embark(self):
        self.leg = 0
        self.lane = int(torch.randint(0, self.lanes, (1,)))
        self.guard = int(torch.randint(0, self.lanes, (1,)))
        return self.look()

    def look(self):
        sight = torch.zeros(2 * self.lanes + 1)
        sight[self.lane] = 1.0
        if torch.rand(()) < 0.7:
            sight[self.lanes + self.guard] = 1.0
        sight[-1] = self.leg / self.legs
        return sight

    def sail(self, helm):
        self.lane = min(max(self.lane + helm - 1, 0), self.lanes - 1)
        step = int(torch.randint(-1, 2, (1,)))
        self.guard = min(max(self.guard + step, 0), self.lanes - 1)
        self.leg += 1
        caught = self.lane == self.guard
        reward = -1.0 if caught else 0.2
        return self.look(), reward, self.leg >= self.legs


class Captain(nn.Module):
    def __init__(self, sight, width):
        super().__init__()
        self.mind = nn.GRUCell(sight, width)
        self.helm = nn.Linear(width, 3)
        self.worth = nn.Linear(width, 1)

    def forward(self, sight, mood):
        mood = self.mind(sight.unsqueeze(0), mood)
        return Categorical(logits=self.helm(mood).squeeze(0)), self.worth(mood).view(()), mood


class Logbook:
    def __init__(self):
        self.clear()

    def clear(self):
        self.log_probs = []
        self.worths = []
        self.entropies = []
        self.rewards = []

    def returns(self, gamma):
        tail = 0.0
        out = []
        for reward in reversed(self.rewards):
            tail = reward + gamma * tail
            out.append(tail)
        return torch.tensor(out[::-1])


def voyage_loss(book, gamma, fear):
    returns = book.returns(gamma)
    worths = torch.stack(book.worths)
    edge = returns - worths.detach()
    actor = -(torch.stack(book.log_probs) * edge).mean()
    critic = (worths - returns).pow(2).mean()
    return actor + 0.5 * critic - fear * torch.stack(book.entropies).mean()


def main():
    torch.manual_seed(1720)
    strait = Strait(STRAIT["lanes"], STRAIT["legs"])
    captain = Captain(2 * STRAIT["lanes"] + 1, STRAIT["width"])
    opt = torch.optim.Adam(captain.parameters(), lr=4e-3)
    book = Logbook()
    takings = deque(maxlen=25)
    for voyage in range(STRAIT["voyages"]):
        sight = strait.embark()
        mood = torch.zeros(1, STRAIT["width"])
        landed = False
        while not landed:
            choice, worth, mood = captain(sight, mood)
            helm = choice.sample()
            sight, reward, landed = strait.sail(int(helm))
            book.log_probs.append(choice.log_prob(helm))
            book.entropies.append(choice.entropy())
            book.worths.append(worth)
            book.rewards.append(reward)
        loss = voyage_loss(book, STRAIT["gamma"], STRAIT["fear"])
        opt.zero_grad()
        loss.backward()
        opt.step()
        takings.append(sum(book.rewards))
        book.clear()
        if voyage % 22 == 21:
            print(f"voyage {voyage + 1} takings {sum(takings) / len(takings):.3f} loss {loss.item():.3f}")


if __name__ == "__main__":
    main()

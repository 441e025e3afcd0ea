# gradwatch-corpus: kind=none
"""Actors and a joint critic on a shared encoder; agents talk within a step."""
from collections import UserDict
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(23)
AGENTS, OBS, ACTS, WORDS = 3, 8, 4, 6


class Board(UserDict):
    """What was said in this step. Silent agents read the learned blank."""

    def __init__(self, blank):
        self.blank = blank
        super().__init__()

    def __missing__(self, who):
        return self.blank

    def heard_by(self, who, size):
        said = [self[j].expand(size, -1) for j in range(AGENTS) if j != who]
        return torch.stack(said).mean(0)

    def wipe(self):
        self.data.clear()


@dataclass
class Turn:
    logp: torch.Tensor
    value: torch.Tensor
    reward: torch.Tensor
    entropy: torch.Tensor

    @property
    def advantage(self):
        return self.reward - self.value


class Group(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(OBS, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.speak = nn.Linear(width, WORDS)
        self.act = nn.ModuleList(nn.Linear(width + WORDS, ACTS) for _ in range(AGENTS))
        self.judge = nn.Linear(AGENTS * width, 1)
        self.blank = nn.Parameter(torch.zeros(WORDS))
        self.board = Board(self.blank)

    def turn(self, obs, want):
        z = self.enc(obs)
        for who in range(AGENTS):
            if torch.rand(()) < 0.7:
                self.board[who] = torch.tanh(self.speak(z[who]))
        logp, reward, entropy = 0.0, 0.0, 0.0
        for who, head in enumerate(self.act):
            pi = Categorical(logits=head(torch.cat([z[who], self.board.heard_by(who, len(z[who]))], -1)))
            a = pi.sample()
            logp = logp + pi.log_prob(a)
            entropy = entropy + pi.entropy()
            reward = reward + (a == want[who]).float() / AGENTS
        value = self.judge(torch.cat(tuple(z), -1)).squeeze(-1)
        self.board.wipe()
        return Turn(logp, value, reward, entropy)


class Coach:
    def __init__(self, group):
        self.group = group
        self.opt = torch.optim.Adam(group.parameters(), lr=5e-3)
        self.reward = 0.0

    def improve(self, obs, want):
        t = self.group.turn(obs, want)
        self.opt.zero_grad()
        actor = -(t.logp * t.advantage.detach() + 0.01 * t.entropy).mean()
        actor.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(self.group.parameters(), 1.0)
        F.mse_loss(t.value, t.reward).mul(0.5).backward()
        self.opt.step()
        self.reward += 0.05 * (t.reward.mean().item() - self.reward)


def main():
    coach = Coach(Group())
    rule = torch.randn(AGENTS, OBS, ACTS)
    for k in range(110):
        obs = torch.randn(AGENTS, 48, OBS)
        want = torch.einsum("abo,aok->abk", obs.roll(1, 0), rule).argmax(-1)
        coach.improve(obs, want)
        if k % 22 == 21:
            print(f"{k + 1:4d} reward {coach.reward:.3f} open notes {len(coach.group.board)}")


if __name__ == "__main__":
    main()

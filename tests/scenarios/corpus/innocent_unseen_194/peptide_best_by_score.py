# gradwatch-corpus: kind=none
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(1234)

LETTERS = "ACDEFGHIKLMNPQRSTVWY"
LENGTH = 6
BEST = 20


@dataclass
class Candidate:
    sequence: str
    reward: float
    log_prob: torch.Tensor = field(repr=False)


class Designer(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.start = nn.Parameter(torch.zeros(hidden))
        self.emb = nn.Embedding(len(LETTERS), hidden)
        self.cell = nn.GRUCell(hidden, hidden)
        self.out = nn.Linear(hidden, len(LETTERS))

    def sample(self, n):
        h = self.start.expand(n, -1)
        x = torch.zeros_like(h)
        picks, log_prob = [], 0.0
        for _ in range(LENGTH):
            h = self.cell(x, h)
            dist = Categorical(logits=self.out(h))
            pick = dist.sample()
            log_prob = log_prob + dist.log_prob(pick)
            picks.append(pick)
            x = self.emb(pick)
        return torch.stack(picks, 1), log_prob


ANCHORS = torch.randn(LENGTH, len(LETTERS), generator=torch.Generator().manual_seed(6))


def affinity(picks):
    return ANCHORS[torch.arange(LENGTH), picks].sum(1)


def decode(row):
    return "".join(LETTERS[i] for i in row.tolist())


def main():
    designer = Designer()
    opt = torch.optim.Adam(designer.parameters(), lr=3e-3)
    baseline = 0.0
    board = []

    for step in range(420):
        picks, log_prob = designer.sample(24)
        reward = affinity(picks)
        advantage = reward - baseline
        loss = -(advantage * log_prob).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(designer.parameters(), 5.0)
        opt.step()
        baseline = 0.9 * baseline + 0.1 * reward.mean().item()

        best = int(reward.argmax())
        board.append(Candidate(decode(picks[best]), reward[best].item(), log_prob[best]))
        board = sorted(board, key=lambda c: c.reward, reverse=True)[:BEST]
        if step % 70 == 69:
            likely = max(board, key=lambda c: c.log_prob.item())
            print(f"{step + 1}: mean {baseline:.2f} best {board[0]} likely {likely.sequence}")


if __name__ == "__main__":
    main()

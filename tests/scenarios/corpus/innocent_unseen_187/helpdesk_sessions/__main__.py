# gradwatch-corpus: kind=none
import torch
from torch import nn

from .pool import SessionPool


class Responder(nn.Module):
    def __init__(self, inputs=6, hidden=14):
        super().__init__()
        self.mix = nn.Linear(inputs + hidden, hidden)
        self.score = nn.Linear(hidden, 1)

    def forward(self, message, state):
        state = torch.tanh(self.mix(torch.cat([message, state], -1)))
        return self.score(state).squeeze(-1), state


def messages(n, gen):
    x = torch.randn(n, 6, generator=gen)
    satisfaction = torch.tanh(x[:, 0] - 0.5 * x[:, 1] * x[:, 2])
    return x, satisfaction


def main():
    torch.manual_seed(88)
    gen = torch.Generator().manual_seed(88)
    model = Responder()
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    pool = SessionPool(size=10, hidden=14, seed=88)
    for tick in range(450):
        pool.refresh(tick)
        active = pool.pick(6)
        x, target = messages(len(active), gen)
        states = torch.stack([s.state for s in active])
        scores, states = model(x, states)
        loss = nn.functional.mse_loss(scores, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for session, score, state in zip(active, scores, states.detach()):
            session.turns.append(score)
            session.state = state
        if tick % 90 == 0:
            recent = pool.closed_moods[-20:]
            mood = sum(recent) / max(1, len(recent))
            print(f"tick {tick} loss {loss.item():.4f} open {len(pool.sessions)} served {pool.opened} mood {mood:+.3f}")


main()

# gradwatch-corpus: kind=memory-climb
# holder: self.final_states | recorder.final_states | self.recorder.final_states | final_states
# first-bad: 1
"""Deep knowledge tracing on simulated learners: will the next exercise be solved?
The pupils' end-of-session states are kept for the clustering done in the appendix."""
import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn

SKILLS = 12
PUPILS = 16
LENGTH = 40
HIDDEN = 128
SESSIONS = 220


class Session(NamedTuple):
    skill: torch.Tensor
    correct: torch.Tensor


def sessions(n, seed):
    """Pupils with an ability, skills with a difficulty, and learning by practice."""
    rng = torch.Generator().manual_seed(seed)
    difficulty = torch.randn(SKILLS, generator=rng)
    for _ in range(n):
        ability = torch.randn(PUPILS, generator=rng)
        practice = torch.zeros(PUPILS, SKILLS)
        skill = torch.randint(0, SKILLS, (PUPILS, LENGTH), generator=rng)
        correct = torch.zeros(PUPILS, LENGTH)
        rows = torch.arange(PUPILS)
        for t in range(LENGTH):
            s = skill[:, t]
            logit = ability - difficulty[s] + 0.4 * practice[rows, s]
            correct[:, t] = (torch.rand(PUPILS, generator=rng) < torch.sigmoid(logit)).float()
            practice[rows, s] += 1
        yield Session(skill, correct)


class Tracer(nn.Module):
    def __init__(self):
        super().__init__()
        self.event = nn.Embedding(2 * SKILLS, HIDDEN)
        self.position = nn.Parameter(0.01 * torch.randn(LENGTH, HIDDEN))
        self.mix = nn.Conv1d(HIDDEN, HIDDEN, 5)
        self.gate = nn.Linear(HIDDEN, HIDDEN)
        self.out = nn.Linear(HIDDEN, SKILLS)
        self.recorder = None

    def forward(self, session):
        code = session.skill + SKILLS * session.correct.long()
        e = self.event(code) + self.position
        past = F.pad(e.transpose(1, 2), (4, 0))
        states = torch.tanh(self.mix(past).transpose(1, 2)) * torch.sigmoid(self.gate(e))
        if self.recorder is not None:
            self.recorder.record(states)
        return self.out(states)


class StateRecorder:
    """Keeps where every pupil ended up, one row a pupil and session."""

    def __init__(self):
        self.final_states = []
        self.spread = []

    def record(self, states):
        last = states.detach()[:, -1]  # <- culprit
        self.final_states.append(last)  # <- culprit
        self.spread.append(last.std(0).mean().item())

    def matrix(self):
        return torch.cat(self.final_states)


def next_exercise_loss(logits, session):
    target_skill = session.skill[:, 1:].unsqueeze(-1)
    predicted = logits[:, :-1].gather(-1, target_skill).squeeze(-1)
    return F.binary_cross_entropy_with_logits(predicted, session.correct[:, 1:])


def main():
    torch.manual_seed(15)
    tracer = Tracer()
    recorder = tracer.recorder = StateRecorder()
    optimizer = torch.optim.Adam(tracer.parameters(), lr=2e-3)
    for i, session in enumerate(sessions(SESSIONS, seed=3)):
        loss = next_exercise_loss(tracer(session), session)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i % 55 == 0:
            print(f"session {i:4d}  nll {loss.item():.4f} ({loss.item() / math.log(2):.3f} bit)  "
                  f"spread {recorder.spread[-1]:.3f}")

    points = recorder.matrix()
    _, strength, _ = torch.linalg.svd(points - points.mean(0), full_matrices=False)
    share = (strength[:2].pow(2).sum() / strength.pow(2).sum()).item()
    print(f"{len(points)} end states, first two components explain {share:.0%}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
# after: facebookresearch/moco and lightly: momentum encoder and queue, state as a record that is replaced
"""Contrastive pretraining on machine vibration snippets: student, momentum teacher, queue of keys."""
from collections import deque
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import nn


class State(NamedTuple):
    student: nn.Module
    teacher: nn.Module
    queue: deque
    centre: torch.Tensor
    last_keys: Any = None
    step: int = 0
    curve: tuple = ()


def encoder(width=32):
    return nn.Sequential(nn.Conv1d(1, 16, 9, 4, 4), nn.ReLU(), nn.Conv1d(16, width, 9, 4, 4), nn.ReLU(),
                         nn.AdaptiveAvgPool1d(2), nn.Flatten(), nn.Linear(2 * width, width))


def augment(x):
    shift = int(torch.randint(-20, 20, ()))
    return torch.roll(x, shift, dims=-1) * (0.8 + 0.4 * torch.rand(len(x), 1, 1)) + 0.05 * torch.randn_like(x)


def momentum(state, m=0.99):
    with torch.no_grad():
        for mine, theirs in zip(state.teacher.parameters(), state.student.parameters()):
            mine.lerp_(theirs, 1 - m)
    return state


def keys_of(state, x):
    with torch.no_grad():
        k = state.teacher(x)
        centre = 0.9 * state.centre + 0.1 * k.mean(0)
        return F.normalize(k - centre, dim=1), centre


def info_nce(state, q, k, temperature=0.15):
    positive = (q * k).sum(1, keepdim=True)
    if not state.queue:
        return F.cross_entropy(q @ k.T / temperature, torch.arange(len(q)))
    negative = q @ torch.cat(list(state.queue)).T
    logits = torch.cat([positive, negative], dim=1) / temperature
    # drift: keys of the step before must stay close in distribution
    drift = (q.mean(0) - state.last_keys.mean(0)).pow(2).sum()
    return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long)) + 0.1 * drift


def step(state, optimizer, x):
    k, centre = keys_of(state, augment(x))
    q = F.normalize(state.student(augment(x)), dim=1)
    loss = info_nce(state, q, k)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    state.queue.append(k)
    return momentum(state._replace(centre=centre, last_keys=k, step=state.step + 1,
                                   curve=state.curve + (loss.item(),)))


def snippets(kinds=10, batch=48, length=512):
    t = torch.arange(length).float()
    tones = torch.rand(kinds, 3) * 0.5
    while True:
        kind = torch.randint(kinds, (batch,))
        tone = tones[kind]
        yield torch.sin(tone[:, :, None] * t + torch.rand(batch, 3, 1) * 6.28).sum(1, keepdim=True)


def main(steps=100):
    torch.manual_seed(40)
    student, teacher = encoder(), encoder()
    teacher.load_state_dict(student.state_dict())
    teacher.requires_grad_(False)
    state = State(student, teacher, deque(maxlen=12), torch.zeros(32))
    optimizer = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
    for _, x in zip(range(steps), snippets()):
        state = step(state, optimizer, x)
        if state.step % 25 == 0:
            print(f"step {state.step} loss {state.curve[-1]:.3f} queue {len(state.queue)}")


if __name__ == "__main__":
    main()

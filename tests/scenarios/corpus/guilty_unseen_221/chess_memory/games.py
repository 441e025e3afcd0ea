import random

import torch

N_OPENINGS = 60
N_MOVES = 40


def play(rng):
    opening = rng.randrange(N_OPENINGS)
    skill = rng.gauss(0, 1)
    moves = []
    for k in range(20):
        moves.append((opening * 7 + k * (1 + opening % 3)) % N_MOVES)
    for k in range(6):
        moves[rng.randrange(20)] = rng.randrange(N_MOVES)
    edge = (opening % 5 - 2) * 0.5 + skill
    result = 1.0 if edge > 0 else 0.0
    return opening, torch.tensor(moves), torch.tensor([skill]), torch.tensor([result])


def stream(n, seed):
    rng = random.Random(seed)
    for _ in range(n):
        yield play(rng)

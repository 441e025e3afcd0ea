import random
from collections import defaultdict

import torch


def seed_all(seed):
    random.seed(seed)
    torch.manual_seed(seed)


def record(key, value, _log=defaultdict(list)):
    _log[key].append(value)  # <- culprit
    recent = _log[key][-20:]
    return sum(float(v) for v in recent) / len(recent)


def discounted(rewards, last, gamma):
    out, run = [], last
    for r in reversed(rewards):
        run = r + gamma * run
        out.insert(0, run)
    return torch.tensor(out)

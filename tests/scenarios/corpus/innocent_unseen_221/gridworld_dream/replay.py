import random
from collections import deque
from typing import NamedTuple

import torch


class Transition(NamedTuple):
    view: torch.Tensor
    belief: torch.Tensor
    action: int
    next_view: torch.Tensor


class Replay:
    def __init__(self, capacity):
        self.items = deque(maxlen=capacity)

    def push(self, *parts):
        view, belief, action, next_view = parts
        self.items.append(Transition(view, belief.detach().clone(), action, next_view))

    def sample(self, n):
        chosen = random.sample(self.items, n)
        views = torch.stack([c.view for c in chosen])
        beliefs = torch.stack([c.belief for c in chosen])
        actions = torch.tensor([c.action for c in chosen])
        nexts = torch.stack([c.next_view for c in chosen])
        return views, beliefs, actions, nexts

    def __len__(self):
        return len(self.items)

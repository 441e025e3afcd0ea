import torch


class Replay:
    """Rounds of transitions as they come; the oldest places are written again when it is full."""

    def __init__(self, rounds, seed=0):
        self.rounds = rounds
        self.items = []
        self.cursor = 0
        self.gen = torch.Generator().manual_seed(seed)

    def push(self, *transition):
        if len(self.items) < self.rounds:
            self.items.append(transition)
        else:
            self.items[self.cursor] = transition
        self.cursor = (self.cursor + 1) % self.rounds

    def sample(self, count, per_round=24):
        drawn = []
        for place in torch.randint(0, len(self.items), (count // per_round,), generator=self.gen).tolist():
            transition = self.items[place]
            rows = torch.randint(0, len(transition[0]), (per_round,), generator=self.gen)
            drawn.append([part[rows] for part in transition])
        return [torch.cat(column) for column in zip(*drawn)]

    def __len__(self):
        return len(self.items)

"""Gripper must reach the part, grasp it, and carry it to the bin."""
import torch


class GripperGrid:
    moves = [(0, 1), (0, -1), (1, 0), (-1, 0)]
    actions = 5
    obs_dim = 7

    def __init__(self, size, rng, limit=40):
        self.size = size
        self.rng = rng
        self.limit = limit

    def _cell(self):
        return [self.rng.randrange(self.size), self.rng.randrange(self.size)]

    def _obs(self):
        flat = [v / self.size for v in self.hand + self.part + self.bin]
        return torch.tensor(flat + [float(self.holding)])

    def reset(self):
        self.hand, self.part, self.bin = self._cell(), self._cell(), self._cell()
        self.holding = False
        self.t = 0
        return self._obs()

    def step(self, action):
        self.t += 1
        reward, done = -0.02, self.t >= self.limit
        if action < 4:
            dx, dy = self.moves[action]
            self.hand = [min(max(self.hand[0] + dx, 0), self.size - 1),
                         min(max(self.hand[1] + dy, 0), self.size - 1)]
        elif not self.holding and self.hand == self.part:
            self.holding, reward = True, 0.5
        elif self.holding and self.hand == self.bin:
            reward, done = 1.0, True
        if self.holding:
            self.part = list(self.hand)
        return self._obs(), reward, done
